extension ContentSchema {
    /// The functions by which constraints judge texts; each has a counterpart in `ContentModel`.
    ///
    /// | function | counterpart |
    /// |---|---|
    /// | `is_visible` | not `String.isBlank` |
    /// | `compared_text` | `String.normalizedForComparison`, up to canonical equivalence; not used any more |
    /// | `identifier_ok` | `Identifier.isValid` |
    /// | `path_ok` | `ContentPath` |
    /// | `text_ok` | `ContentLimits.textBytesMax` |
    ///
    /// Functions with a query or variables are in PL/pgSQL, which plans them once in a session:
    /// PostgreSQL would plan a nested SQL function anew for each row.
    static var texts: String {
        let capitals = CharacterClasses.bracket(CharacterClasses.capitals)
        let all = LetterCases.pairs(in: CharacterClasses.beyondASCII)
        let common = LetterCases.pairs(in: LetterCases.common)
        return """
            create function content.is_visible(value text) returns boolean
            language sql immutable parallel safe
            return coalesce(
                value collate "C" ~ '[^\(CharacterClasses.bracket(CharacterClasses.invisible))]', false);

            -- `lower` of the locale C knows the letters of ASCII alone, on every machine alike. `translate`
            -- searches its lists for each character, so the lists of a text are made of its own capitals.
            create function content.small_letters(value text) returns text
            language plpgsql immutable parallel safe set search_path = pg_catalog as $$
            declare
                small text := lower(value collate "C");
                own text;
            begin
                if octet_length(value) = char_length(value) then return small; end if;
                own := regexp_replace(small collate "C", '[^\(capitals)]+', '', 'g');
                if own = '' then return small; end if;
                if translate(own, '\(common.capitals)', '') = '' then
                    return translate(small, own,
                        translate(own, '\(common.capitals)', '\(common.smalls)'));
                end if;
                return replace(
                    translate(small, own, translate(own, '\(all.capitals)', '\(all.smalls)')),
                    '\(LetterCases.double.capital)', '\(LetterCases.double.small)');
            end $$;

            create function content.compared_text(value text) returns text
            language sql immutable parallel safe
            return case
                when octet_length(value) = char_length(value) then btrim(regexp_replace(
                    lower(value collate "C"), '[\(CharacterClasses.bracket(ascii))]+', ' ', 'g'), ' ')
                else normalize(btrim(regexp_replace(
                    content.small_letters(value) collate "C",
                    '[\(CharacterClasses.bracket(CharacterClasses.space))]+', ' ', 'g'), ' '), nfc)
                end;

            create function content.identifier_ok(value text) returns boolean
            language sql immutable parallel safe
            return coalesce(value collate "C" ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$', false);

            create function content.path_ok(value text) returns boolean
            language plpgsql immutable parallel safe set search_path = pg_catalog as $$
            begin
                return coalesce(
                    octet_length(value) between 1 and 512
                    and value collate "C" !~ '(^|/)([./]|$)'
                    and value collate "C" !~ '[\\u0001-\\u001F\\u007F\\\\:%?#"*|]'
                    and (octet_length(value) <= 255 or (
                        select bool_and(octet_length(part) <= 255)
                        from string_to_table(value, '/') as part)),
                    false);
            end $$;

            create function content.text_ok(value text) returns boolean
            language sql immutable parallel safe
            return coalesce(octet_length(value) <= \(16 * 1024), false);
            """
    }

    /// The white space of ASCII.
    private static let ascii: [ClosedRange<UInt32>] = [0x09...0x0D, 0x20...0x20]
}
