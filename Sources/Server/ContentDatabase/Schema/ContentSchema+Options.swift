extension ContentSchema {
    /// Judges options by their text as it is written: two may differ in case only.
    ///
    /// `spaced_text` is `String.singleSpaced`, up to canonical equivalence. The constraint becomes wider, so that no
    /// row has to be looked at again, and `options_ok` keeps its name.
    static var optionCases: String {
        """
        create function content.spaced_text(value text) returns text
        language sql immutable parallel safe
        return normalize(btrim(regexp_replace(
            value collate "C", '[\(CharacterClasses.bracket(CharacterClasses.space))]+', ' ', 'g'), ' '), nfc);

        create or replace function content.options_ok(options jsonb) returns boolean
        language sql immutable parallel safe
        return coalesce(case when jsonb_typeof(options) = 'array' then
            jsonb_array_length(options) between 2 and 64
            and (
                select bool_and(content.option_ok(option))
                    and count(distinct (option->>'id') collate "C") = count(*)
                    and count(distinct (
                        content.spaced_text(coalesce(option->>'text', '')) collate "C",
                        normalize(coalesce(option->>'image', ''), nfc) collate "C")) = count(*)
                from jsonb_array_elements(options) as option)
            end, false);

        grant execute on function content.spaced_text(text) to public;
        """
    }
}
