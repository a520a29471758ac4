(* The matrix of a certificate: its table and labels, and whose function it is said to be. *)
open Refusal
open Fields

let most_cells = 1 lsl 22
let digits = "0123456789abcdefghijklmnopqrstuvwxyz"

let names =
  [ ("equality", Kernel.Equality); ("disjointness", Kernel.Disjointness); ("intersection", Kernel.Intersection);
    ("greater-than", Kernel.GreaterThan); ("inner-product", Kernel.InnerProduct); ("index", Kernel.Index) ]

type t = {
  labels : Json.t list;
  table : Kernel.table option; (* None: named, and too large to be written out *)
  height : int;
  width : int;
  named : (string * int) option;
  known : Kernel.name option; (* the kernel has a definition of it, with which the cells agree *)
}

let plain_label = function Json.Text _ | Json.Int _ -> () | _ -> refuse "labels are texts or integers"

let read_labels data =
  let labels = items data in
  List.iter plain_label labels;
  need (List.length (List.sort_uniq compare labels) = List.length labels) "different labels";
  labels

let codes = Array.init 36 (fun code -> Some (Z.of_int code))

(* For each byte what stands in a cell that is written so; no label at all is refused. *)
let letters count =
  let found = Array.make 256 (Error ()) in
  found.(Char.code '*') <- Ok None;
  String.iteri (fun code letter -> if code < count then found.(Char.code letter) <- Ok codes.(code)) digits;
  found

let of_letter known letter = match known.(Char.code letter) with Ok cell -> cell | Error () -> refuse "a cell that is no label"

let of_place count place = match integer (-1) (count - 1) place with -1 -> None | code -> Some (Z.of_int code)

let read_rows labels data =
  let count = List.length labels in
  let known = letters count in
  let row = function
    | Json.Text letters when count <= 36 -> List.init (String.length letters) (fun place -> of_letter known letters.[place])
    | Json.List places when count > 36 -> List.map (of_place count) places
    | _ -> refuse "rows are text, or lists for over 36 labels" in
  let table = List.map row (items data) in
  let height = List.length table in
  need (height > 0) "at least one row";
  let width = List.length (List.hd table) in
  need (width > 0 && List.for_all (fun line -> List.length line = width) table) "rows of one length, at least one";
  need (height * width <= most_cells) "a matrix of at most 4194304 cells";
  (table, height, width)

let size_of_named name n = (1 lsl n, if name = "index" then n else 1 lsl n)
let small name n = n <= 22 && (let height, width = size_of_named name n in height * width <= most_cells)

let function_of name n most =
  let found = text name in
  let plain = function 'a' .. 'z' | '0' .. '9' | '-' -> true | _ -> false in
  need (found <> "" && String.length found <= 60 && String.for_all plain found) "the name of a function";
  (found, integer 1 most n)

let of_name (name, n) =
  let known = match List.assoc_opt name names with
    | Some known -> known
    | None -> refuse ("a function without its rows is one of " ^ String.concat ", " (List.map fst names)) in
  let labels = [ Json.Int Z.zero; Json.Int Z.one ] and named = Some (name, n) and known_as = Some known in
  if small name n then
    let height, width = size_of_named name n in
    { labels; table = Some (Kernel.table_of_name known (Z.of_int n)); height; width; named; known = known_as }
  else { labels; table = None; height = 0; width = 0; named; known = known_as }

let of_rows named labels rows =
  let labels = read_labels labels in
  let table, height, width = read_rows labels rows in
  let known = match named with
    | Some (name, n) when List.mem_assoc name names ->
        need (small name n) "a matrix of at most 4194304 cells";
        let same = labels = [ Json.Int Z.zero; Json.Int Z.one ] && table = Kernel.table_of_name (List.assoc name names) (Z.of_int n) in
        need same (Printf.sprintf "the cells are not those of %s, n = %d" name n);
        Some (List.assoc name names)
    | _ -> None in
  { labels; table = Some table; height; width; named; known }

let read data = match data with
  | Json.Object found when List.mem_assoc "rows" found && (List.mem_assoc "function" found || List.mem_assoc "n" found) -> (
      match fields data [ "function"; "n"; "labels"; "rows" ] with
      | [ name; n; labels; rows ] -> of_rows (Some (function_of name n 64)) labels rows
      | _ -> assert false)
  | Json.Object found when List.mem_assoc "function" found || List.mem_assoc "n" found ->
      let name, n = two_of (fields data [ "function"; "n" ]) in of_name (function_of name n (1 lsl 20))
  | _ ->
      let labels, rows = two_of (fields data [ "labels"; "rows" ]) in of_rows None labels rows

(* SHA-256 of labels and codes, however they are given; of name and size where they are not written out. *)
let digest matrix =
  let few = Array.init 36 string_of_int in
  let code = function
    | None -> "-1"
    | Some found -> let code = Z.to_int found in if code < 36 then few.(code) else string_of_int code in
  let hashed = Buffer.create 4096 in
  let listed each items = Buffer.add_char hashed '['; Json.separated hashed each items; Buffer.add_char hashed ']' in
  let add_code cell = Buffer.add_string hashed (code cell) in
  (match matrix.table, matrix.named with
   | Some table, _ -> listed (fun add -> add ()) [ (fun () -> listed (Json.write hashed) matrix.labels); (fun () -> listed (listed add_code) table) ]
   | None, Some (name, n) -> Json.write hashed (Json.List [ Json.Text name; Json.Int (Z.of_int n) ])
   | None, None -> assert false);
  Sha256.digest (Buffer.contents hashed)

let told matrix =
  let size = match matrix.table, matrix.named with
    | None, Some (name, n) -> if name = "index" then Printf.sprintf "2^%d x %d" n n else Printf.sprintf "2^%d x 2^%d" n n
    | _ -> Printf.sprintf "%d x %d" matrix.height matrix.width in
  let hash = String.sub (digest matrix) 0 12 in
  match matrix.named with
  | None -> Printf.sprintf "a matrix (%s, sha256 %s)" size hash
  | Some (name, n) ->
      let compared = if matrix.known = None then ", not compared with the function" else "" in
      Printf.sprintf "%s, n = %d (%s, sha256 %s%s)" name n size hash compared

(* The codes that occur, in order. *)
let occurring matrix =
  let seen = Array.make (List.length matrix.labels) false in
  let see = function Some code -> seen.(Z.to_int code) <- true | None -> () in
  List.iter (List.iter see) (Option.value matrix.table ~default:[]);
  List.filter (fun code -> seen.(Z.to_int code)) (List.init (Array.length seen) Z.of_int)
