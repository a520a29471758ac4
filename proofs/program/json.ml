(* JSON (RFC 8259) without floats: objects have no field twice, integers have at most 40 digits, nothing is nested deeper
   than 400. A text is UTF-8; half of a surrogate pair that stands alone is kept as the three bytes it would have. *)
open Refusal

type t = Null | Bool of bool | Int of Z.t | Text of string | List of t list | Object of (string * t) list

let most_nesting = 400
let most_digits = 40

let add_code buffer code =
  let add byte = Buffer.add_char buffer (Char.chr byte) in
  if code < 0x80 then add code
  else if code < 0x800 then (add (0xC0 lor (code lsr 6)); add (0x80 lor (code land 63)))
  else if code < 0x10000 then
    (add (0xE0 lor (code lsr 12)); add (0x80 lor ((code lsr 6) land 63)); add (0x80 lor (code land 63)))
  else
    (add (0xF0 lor (code lsr 18)); add (0x80 lor ((code lsr 12) land 63));
     add (0x80 lor ((code lsr 6) land 63)); add (0x80 lor (code land 63)))

(* The code point at a place of UTF-8, and its length; surrogates only where they are allowed. *)
let code_at ?(surrogates = false) text place =
  let byte offset =
    if place + offset >= String.length text then refuse "text that is not UTF-8" else Char.code text.[place + offset] in
  let more offset =
    let found = byte offset in
    need (found land 0xC0 = 0x80) "text that is not UTF-8"; found land 63 in
  let first = byte 0 in
  let code, length, least =
    if first < 0x80 then (first, 1, 0)
    else if first land 0xE0 = 0xC0 then (((first land 31) lsl 6) lor more 1, 2, 0x80)
    else if first land 0xF0 = 0xE0 then (((first land 15) lsl 12) lor (more 1 lsl 6) lor more 2, 3, 0x800)
    else if first land 0xF8 = 0xF0 then
      (((first land 7) lsl 18) lor (more 1 lsl 12) lor (more 2 lsl 6) lor more 3, 4, 0x10000)
    else refuse "text that is not UTF-8" in
  need (code >= least && code <= 0x10FFFF) "text that is not UTF-8";
  need (surrogates || code < 0xD800 || code > 0xDFFF) "text that is not UTF-8";
  (code, length)

let parse text =
  let size = String.length text and place = ref 0 in
  let bad () = refuse (Printf.sprintf "no JSON at byte %d" !place) in
  let peek () = if !place < size then text.[!place] else '\000' in
  let rec skip () = match peek () with ' ' | '\t' | '\n' | '\r' when !place < size -> incr place; skip () | _ -> () in
  let expect letter = if !place < size && text.[!place] = letter then incr place else bad () in
  let word letters value = String.iter expect letters; value in
  let four_digits () =
    if !place + 4 > size then bad ();
    let digits = String.sub text !place 4 in
    String.iter (function '0' .. '9' | 'a' .. 'f' | 'A' .. 'F' -> () | _ -> bad ()) digits;
    place := !place + 4;
    int_of_string ("0x" ^ digits) in
  let escaped buffer = match peek () with
    | '"' | '\\' | '/' as letter -> incr place; Buffer.add_char buffer letter
    | 'b' -> incr place; Buffer.add_char buffer '\b'
    | 'f' -> incr place; Buffer.add_char buffer '\012'
    | 'n' -> incr place; Buffer.add_char buffer '\n'
    | 'r' -> incr place; Buffer.add_char buffer '\r'
    | 't' -> incr place; Buffer.add_char buffer '\t'
    | 'u' ->
        incr place;
        let high = four_digits () in
        let paired = high >= 0xD800 && high < 0xDC00 && !place + 6 <= size && String.sub text !place 2 = "\\u" in
        if not paired then add_code buffer high
        else begin
          let back = !place in
          place := !place + 2;
          let low = four_digits () in
          if low >= 0xDC00 && low < 0xE000 then
            add_code buffer (0x10000 + ((high - 0xD800) lsl 10) + (low - 0xDC00))
          else (place := back; add_code buffer high)
        end
    | _ -> bad () in
  let string () =
    expect '"';
    let buffer = Buffer.create 16 in
    let rec letters () =
      if !place >= size then bad ();
      match text.[!place] with
      | '"' -> incr place
      | '\\' -> incr place; escaped buffer; letters ()
      | letter when letter < ' ' -> bad ()
      | letter when letter < '\128' -> Buffer.add_char buffer letter; incr place; letters ()
      | _ ->
          let code, length = code_at text !place in
          add_code buffer code; place := !place + length; letters () in
    letters (); Buffer.contents buffer in
  let number () =
    let start = !place in
    if peek () = '-' then incr place;
    let first = !place in
    let rec digits () = match peek () with '0' .. '9' -> incr place; digits () | _ -> () in
    digits ();
    if !place = first || (text.[first] = '0' && !place > first + 1) then bad ();
    (match peek () with '.' | 'e' | 'E' -> refuse "no floating-point numbers" | _ -> ());
    need (!place - first <= most_digits) "an integer of at most 40 digits";
    Int (Z.of_string (String.sub text start (!place - start))) in
  let rec value depth =
    need (depth <= most_nesting) "nested deeper than 400";
    skip ();
    let found = match peek () with
      | '{' -> incr place; Object (fields depth)
      | '[' -> incr place; List (items depth)
      | '"' -> Text (string ())
      | 't' -> word "true" (Bool true)
      | 'f' -> word "false" (Bool false)
      | 'n' -> word "null" Null
      | _ -> number () in
    skip (); found
  and items depth =
    skip ();
    if peek () = ']' then (incr place; [])
    else
      let rec more found =
        let found = value (depth + 1) :: found in
        match peek () with ',' -> incr place; more found | _ -> expect ']'; List.rev found in
      more []
  and fields depth =
    skip ();
    if peek () = '}' then (incr place; [])
    else
      let seen = Hashtbl.create 8 in
      let rec more found =
        skip ();
        let name = string () in
        need (not (Hashtbl.mem seen name)) "a field twice";
        Hashtbl.add seen name ();
        skip (); expect ':';
        let found = (name, value (depth + 1)) :: found in
        match peek () with ',' -> incr place; more found | _ -> expect '}'; List.rev found in
      more [] in
  let found = value 1 in
  if !place < size then bad ();
  found

(* As Python's json.dumps writes it, without blanks: what is hashed. *)
let rec write buffer = function
  | Null -> Buffer.add_string buffer "null"
  | Bool truth -> Buffer.add_string buffer (string_of_bool truth)
  | Int number -> Buffer.add_string buffer (Z.to_string number)
  | Text text -> write_text buffer text
  | List items -> Buffer.add_char buffer '['; separated buffer (write buffer) items; Buffer.add_char buffer ']'
  | Object fields ->
      let field (name, value) = write_text buffer name; Buffer.add_char buffer ':'; write buffer value in
      Buffer.add_char buffer '{'; separated buffer field fields; Buffer.add_char buffer '}'

and separated : 'a. Buffer.t -> ('a -> unit) -> 'a list -> unit = fun buffer each items ->
  List.iteri (fun place item -> if place > 0 then Buffer.add_char buffer ','; each item) items

and write_text buffer text =
  let rec from place =
    if place < String.length text then begin
      let code, length = code_at ~surrogates:true text place in
      (match code with
       | 34 -> Buffer.add_string buffer "\\\"" | 92 -> Buffer.add_string buffer "\\\\"
       | 8 -> Buffer.add_string buffer "\\b" | 12 -> Buffer.add_string buffer "\\f"
       | 10 -> Buffer.add_string buffer "\\n" | 13 -> Buffer.add_string buffer "\\r" | 9 -> Buffer.add_string buffer "\\t"
       | _ when code >= 32 && code < 127 -> Buffer.add_char buffer (Char.chr code)
       | _ when code < 0x10000 -> Printf.bprintf buffer "\\u%04x" code
       | _ ->
           let rest = code - 0x10000 in
           Printf.bprintf buffer "\\u%04x\\u%04x" (0xD800 lor (rest lsr 10)) (0xDC00 lor (rest land 1023)));
      from (place + length)
    end in
  Buffer.add_char buffer '"'; from 0; Buffer.add_char buffer '"'

let to_string value = let buffer = Buffer.create 256 in write buffer value; Buffer.contents buffer
