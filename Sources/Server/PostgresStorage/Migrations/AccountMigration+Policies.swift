extension AccountMigration {
    /// The rows that sign-in and upkeep may see; users see none.
    static let rows = """
        DO $$
        DECLARE
            name text;
        BEGIN
            FOREACH name IN ARRAY ARRAY[
                'password', 'identity', 'email_code', 'refresh_token', 'revocation', 'instance_mark',
                'failed_attempt']
            LOOP
                EXECUTE format('alter table underway.%I enable row level security', name);
                EXECUTE format('alter table underway.%I force row level security', name);
                EXECUTE format('create policy accounts on underway.%I to underway_accounts
                    using (true) with check (true)', name);
                EXECUTE format('grant select, insert, update, delete on underway.%I
                    to underway_accounts', name);
            END LOOP;
            FOREACH name IN ARRAY ARRAY[
                'password', 'identity', 'email_code', 'refresh_token', 'failed_attempt']
            LOOP
                EXECUTE format('create policy keeper on underway.%I to underway_keeper
                    using (true)', name);
            END LOOP;
        END $$;

        GRANT SELECT (account) ON underway.password, underway.identity TO underway_keeper;

        GRANT SELECT (account, purpose, hash, expires_at), DELETE ON underway.email_code TO underway_keeper;

        GRANT SELECT (hash, expires_at), DELETE ON underway.refresh_token TO underway_keeper;

        GRANT SELECT (limit_name, name, expires_at), DELETE ON underway.failed_attempt TO underway_keeper;

        GRANT INSERT, UPDATE ON underway.setting TO underway_accounts;

        CREATE POLICY accounts ON underway.setting TO underway_accounts
            USING (name IN ('generation', 'keyPrint')) WITH CHECK (name IN ('generation', 'keyPrint'));
        """

    /// Erases accounts that are marked as deleted, in batches of a bounded number of rows.
    ///
    /// The tables are those of the schema that have a column `account`, so that a later one is never forgotten. The
    /// owner sees only rows of an account that is being erased.
    static let erasure = """
        CREATE POLICY erased ON underway.account TO underway_owner
            USING (number = (SELECT underway.erased()) OR deleted_at IS NOT NULL);

        DO $$
        DECLARE
            name text;
        BEGIN
            FOR name IN
                SELECT c.relname FROM pg_catalog.pg_class c
                    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account'
                WHERE c.relnamespace = 'underway'::regnamespace AND c.relkind = 'r'
                    AND NOT EXISTS (SELECT FROM pg_catalog.pg_policy p
                        WHERE p.polrelid = c.oid AND p.polname = 'erased')
            LOOP
                EXECUTE format('create policy erased on underway.%I to underway_owner
                    using (account = (select underway.erased()))', name);
            END LOOP;
        END $$;

        \(erasing("CREATE FUNCTION", "deleted_at IS NOT NULL"))

        REVOKE EXECUTE ON FUNCTION underway.erase_1(bigint) FROM public;

        GRANT EXECUTE ON FUNCTION underway.erase_1(bigint) TO underway_keeper;
        """

    /// The function that erases a batch of the rows of an account with a condition.
    static func erasing(_ command: String, _ condition: String) -> String {
        """
        \(command) underway.erase_1(p_limit bigint) RETURNS boolean
            LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = underway, pg_temp AS $$
        DECLARE
            v_account bigint;
            v_table regclass;
            v_left bigint := p_limit;
            v_count bigint;
        BEGIN
            SELECT number INTO v_account FROM account WHERE \(condition)
                LIMIT 1 FOR UPDATE SKIP LOCKED;
            -- None, or another process is at it.
            IF v_account IS NULL THEN
                RETURN TRUE;
            END IF;
            PERFORM set_config('underway.erased', v_account::text, TRUE);
            -- Rows that refer to others of the account come before these: they were created later.
            FOR v_table IN
                SELECT c.oid FROM pg_catalog.pg_class c
                    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account'
                WHERE c.relnamespace = 'underway'::regnamespace AND c.relkind = 'r'
                ORDER BY c.oid DESC
            LOOP
                EXECUTE format('delete from %s where ctid = any (array(
                    select ctid from %s where account = $1 limit $2))', v_table, v_table)
                    USING v_account, v_left;
                GET DIAGNOSTICS v_count = ROW_COUNT;
                v_left := v_left - v_count;
                EXIT WHEN v_left <= 0;
            END LOOP;
            IF v_left > 0 THEN
                DELETE FROM account WHERE number = v_account;
            END IF;
            PERFORM set_config('underway.erased', '', TRUE);
            RETURN FALSE;
        END $$;
        """
    }
}
