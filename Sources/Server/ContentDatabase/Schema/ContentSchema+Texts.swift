extension ContentSchema {
    /// The functions by which constraints judge texts; each has a counterpart in `ContentModel`.
    ///
    /// | function | counterpart |
    /// |---|---|
    /// | `is_visible` | not `String.isBlank` |
    /// | `spaced_text` | `String.singleSpaced`, up to canonical equivalence |
    /// | `identifier_ok` | `Identifier.isValid` |
    /// | `path_ok` | `ContentPath` |
    /// | `text_ok` | `ContentLimits.textBytesMax` |
    ///
    /// Functions with a query or variables are in PL/pgSQL, which plans them once in a session:
    /// PostgreSQL would plan a nested SQL function anew for each row.
    static let texts = """
        create function content.is_visible(value text) returns boolean
        language sql immutable parallel safe
        return coalesce(
            value collate "C" ~ '[^\(CharacterClasses.bracket(CharacterClasses.invisible))]', false);

        create function content.spaced_text(value text) returns text
        language sql immutable parallel safe
        return normalize(btrim(regexp_replace(
            value collate "C", '[\(CharacterClasses.bracket(CharacterClasses.space))]+', ' ', 'g'), ' '), nfc);

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
