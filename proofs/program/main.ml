(* Certificates in files, a line for each: accepted with what is proved, refused, or not reached (no theorem here). *)
open Refusal
open Fields

let most_bytes = 64 lsl 20

let side data = match text data with
  | "lower" -> Kernel.Lower | "upper" -> Kernel.Upper
  | _ -> refuse "a side is lower or upper"

let needs_no_table = function
  | Kernel.AllPatterns | Kernel.BitsOf (Kernel.VcDimension Kernel.Alice, Kernel.AllPatterns) -> true
  | _ -> false

let proved (matrix : Matrix.t) measure (side, claimed, data) =
  let witness = Witnesses.witness matrix measure data in
  match matrix.table, matrix.known, matrix.named with
  | _, Some known, Some (_, n) when matrix.table = None || needs_no_table witness ->
      Kernel.accepts_named known (Z.of_int n) measure side claimed witness
  | Some table, _, _ -> Kernel.accepts table measure side claimed witness
  | _ -> false

let proof data =
  let given, claimed, witness = three_of (fields data [ "side"; "value"; "witness" ]) in (side given, value claimed, witness)

let told_value (claimed : Kernel.q) =
  if Z.equal claimed.qden Z.one then Z.to_string claimed.qnum
  else Z.to_string claimed.qnum ^ "/" ^ Z.to_string claimed.qden

let told name unit parameters labels subject proofs =
  let sign, amount = match proofs with
    | [ (Kernel.Lower, low, _); (_, high, _) ] ->
        if low = high then ("=", told_value low) else ("in", Printf.sprintf "[%s, %s]" (told_value low) (told_value high))
    | [ (Kernel.Lower, low, _) ] -> (">=", told_value low)
    | [ (_, high, _) ] -> ("<=", told_value high)
    | _ -> assert false in
  let given = Claims.given labels parameters in
  Printf.sprintf "%s %s %s%s of %s: %s" name sign (Claims.with_unit amount unit)
    (if given = "" then "" else " (" ^ given ^ ")")
    subject
    (Claims.how (List.map (fun (side, _, witness) -> (side, (), Witnesses.kind_of witness)) proofs))

let of_every_length = function
  | Json.Object found -> List.assoc_opt "format" found = Some (Json.Text "ccsim-certificate-for-every-length")
  | _ -> false

let check data =
  if of_every_length data then Every_length.check side data else
  match fields data [ "format"; "version"; "matrix"; "measure"; "unit"; "parameters"; "proofs" ] with
  | [ format; version; matrix; name; unit; parameters; proofs ] ->
      need (format = Json.Text "ccsim-certificate" && version = Json.Int Z.one) "expected format ccsim-certificate, version 1";
      let name = text name and unit = text unit in
      Claims.reached name;
      let labels, subject, units, proved =
        if Relations.is_one matrix then
          let relation = Relations.read matrix in
          let measure, units = Relations.measure relation name parameters in
          (relation.matrix.labels, Relations.told relation, units, Relations.proved relation measure)
        else if List.mem name Factors.names then
          let matrix = Matrix.read matrix in
          let measure, units = Factors.measure matrix name parameters in
          (matrix.labels, Matrix.told matrix, units, Factors.proved matrix measure)
        else
          let matrix = Matrix.read matrix in
          let measure, units = Claims.measure matrix name parameters in
          (matrix.labels, Matrix.told matrix, units, proved matrix measure) in
      need (List.mem unit units) ("another unit of " ^ name);
      let proofs = List.map proof (items proofs) in
      need (List.mem (List.map (fun (side, _, _) -> side) proofs) Kernel.[ [ Lower ]; [ Upper ]; [ Lower; Upper ] ])
        "a proof of the lower side, of the upper, or both";
      List.iter (fun (_, _, witness) -> ignore (Witnesses.kind_of witness)) proofs;
      List.iter (fun entry -> need (proved entry) "a witness does not prove its claim") proofs;
      (match proofs with
       | [ (_, low, _); (_, high, _) ] -> need (Kernel.qle_bool low high) "more from below than from above"
       | _ -> ());
      told name unit parameters labels subject proofs
  | _ -> assert false

let contents path =
  let channel = open_in_bin path in
  Fun.protect ~finally:(fun () -> close_in channel) (fun () ->
    need (in_channel_length channel <= most_bytes) "a file of at most 64 MB";
    really_input_string channel (in_channel_length channel))

(* About 1 GB, in words. *)
let most_words = 1 lsl 27

let verdict path =
  Bits.start ();
  if (Gc.quick_stat ()).Gc.heap_words > most_words / 4 then Gc.compact ();
  match check (Json.parse (contents path)) with
  | line -> ("accepted", line)
  | exception Refused reason -> ("refused", reason)
  | exception Unreached reason -> ("unreached", reason)
  | exception Bits.Too_much_work -> ("unreached", "too much work to check")
  | exception Sys_error _ -> ("refused", "the file cannot be read")
  | exception (Z.Overflow | Invalid_argument _ | Failure _ | Not_found) -> ("refused", "malformed")
  | exception Out_of_memory -> Gc.compact (); ("unreached", "out of memory")
  | exception Stack_overflow -> ("unreached", "too large for this program")

(* Most of what is made lives long: a large young generation, and fewer collections of the old one. Large numbers do not:
   memory that they leave is kept for the next ones of a file, as to give it back and to ask again takes longer. *)
let () = Gc.set { (Gc.get ()) with Gc.minor_heap_size = 1 lsl 23; space_overhead = 1000; max_overhead = 1_000_000 }

(* The more there is, the sooner what is no longer used is looked for, and above the most it ends. *)
let watch () =
  let words = (Gc.quick_stat ()).Gc.heap_words in
  if words > most_words then raise Out_of_memory;
  Gc.set { (Gc.get ()) with Gc.space_overhead = max 80 (min 1000 (100 * most_words / (words + 1))) }

let _ = Gc.create_alarm watch

(* On one line, whatever stands in a name of a file or in a text of a certificate. *)
let printable text =
  let shown letter = if letter < ' ' || letter = '\127' then Printf.sprintf "\\x%02x" (Char.code letter) else String.make 1 letter in
  String.concat "" (List.map shown (List.of_seq (String.to_seq text)))

let () =
  let paths = match List.tl (Array.to_list Sys.argv) with "--" :: paths -> paths | paths -> paths in
  let show path =
    let word, line = verdict path in
    Printf.printf "%s %s: %s\n%!" word (printable path) (printable line);
    word = "accepted" in
  let accepted = List.map show paths in
  exit (if paths <> [] && List.for_all Fun.id accepted then 0 else 1)
