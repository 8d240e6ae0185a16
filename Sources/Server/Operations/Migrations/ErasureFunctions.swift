/// The functions that erase the rows of an account.
enum ErasureFunctions {
    /// Deletes an account's answers, and what was counted of them, with the account.
    ///
    /// Answers refer to their account by no foreign key: its check would cost as much as the row.
    static let answers = """
        CREATE FUNCTION underway.erase_answers() RETURNS TRIGGER LANGUAGE plpgsql SECURITY DEFINER
            SET search_path = underway, pg_temp AS $$
        BEGIN
            PERFORM set_config('underway.erased', old.number::text, TRUE);
            DELETE FROM answer WHERE account = old.number;
            DELETE FROM question_day WHERE account = old.number;
            DELETE FROM question_domain WHERE account = old.number;
            PERFORM set_config('underway.erased', '', TRUE);
            RETURN NULL;
        END $$;

        REVOKE EXECUTE ON FUNCTION underway.erase_answers() FROM public;

        CREATE TRIGGER erase_answers AFTER DELETE ON underway.account
            FOR EACH ROW EXECUTE FUNCTION underway.erase_answers();
        """

    /// Erases accounts that are marked as deleted, in batches of a bounded number of rows.
    ///
    /// The tables are those of the schema that have a column `account`, so that a later one is never forgotten. The
    /// owner sees only rows of an account that is being erased. An account that moves is left alone: its rows are still
    /// being copied.
    static let accounts = """
        CREATE FUNCTION underway.erase_1(p_limit bigint) RETURNS boolean
            LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = underway, pg_temp AS $$
        DECLARE
            v_account bigint;
            v_table regclass;
            v_left bigint := p_limit;
            v_count bigint;
        BEGIN
            SELECT number INTO v_account FROM account WHERE deleted_at IS NOT NULL
                    AND id NOT LIKE 'moving %'
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

        REVOKE EXECUTE ON FUNCTION underway.erase_1(bigint) FROM public;

        GRANT EXECUTE ON FUNCTION underway.erase_1(bigint) TO underway_keeper;
        """
}
