/// Policies that derive the account of a token's subject, in place of a number that the session says.
enum ClaimMigration {
    static let claims = PostgresMigration(name: "10 derived accounts", script: policies)

    /// The number of the account of the token's subject, by the index of `user_id`.
    ///
    /// A session can set `underway.account` to any number. So the number is a filter of the functions that `enter_1`
    /// prepared, and no policy asks for it.
    static let derived =
        "(SELECT a.number FROM underway.account a WHERE a.user_id = (SELECT underway.token_user()))"

    private static let policies = """
        DO $$
        DECLARE
            one record;
            told constant text := '\\( ?SELECT (?:underway\\.)?claim\\(\\)(?: AS claim)?\\)';
            derived constant text := '\(derived)';
        BEGIN
            FOR one IN
                SELECT tablename, policyname, qual, with_check FROM pg_catalog.pg_policies
                WHERE schemaname = 'underway' AND (qual ~ told OR with_check ~ told)
            LOOP
                IF one.qual IS NOT NULL THEN
                    EXECUTE format('alter policy %I on underway.%I using (%s)', one.policyname,
                        one.tablename, regexp_replace(one.qual, told, derived, 'g'));
                END IF;
                IF one.with_check IS NOT NULL THEN
                    EXECUTE format('alter policy %I on underway.%I with check (%s)', one.policyname,
                        one.tablename, regexp_replace(one.with_check, told, derived, 'g'));
                END IF;
            END LOOP;
        END $$;
        """
}
