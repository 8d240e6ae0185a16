extension LedgerMigration {
    /// A user's own rows, for tokens of users.
    ///
    /// `token_user` is the subject of a token that has not expired. `claim` reads what `enter_1` found for
    /// it, and nothing when the subject is another one. Both must be inlined: as a function with a query,
    /// or in PL/pgSQL, `claim` costs two to four times the exchange's own work. Policies no longer ask for it
    /// (``ClaimMigration``): a session can say any number.
    static let ownRows = """
        CREATE FUNCTION underway.token_user() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
            RETURN CASE WHEN coalesce(
                (nullif(current_setting('request.jwt.claims', TRUE), '')::jsonb ->> 'exp')::numeric
                    > extract(epoch FROM now()), TRUE)
                THEN auth.uid() END;

        CREATE FUNCTION underway.claim() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
            RETURN CASE WHEN split_part(current_setting('underway.account', TRUE), ' ', 2)
                    = underway.token_user()::text
                THEN split_part(current_setting('underway.account', TRUE), ' ', 1)::bigint END;

        ALTER TABLE underway.account ENABLE ROW LEVEL SECURITY;

        ALTER TABLE underway.account FORCE ROW LEVEL SECURITY;

        CREATE POLICY own ON underway.account TO authenticated
            USING (user_id = (SELECT underway.token_user()))
            WITH CHECK (user_id = (SELECT underway.token_user()));

        CREATE POLICY accounts ON underway.account TO underway_accounts USING (TRUE) WITH CHECK (TRUE);

        CREATE POLICY keeper ON underway.account TO underway_keeper USING (TRUE) WITH CHECK (TRUE);

        GRANT SELECT, INSERT, UPDATE ON underway.account TO underway_accounts;

        GRANT SELECT,
            UPDATE (purged_through, record_bytes, collections) ON underway.account TO underway_keeper;

        GRANT SELECT, UPDATE (position, digest, epoch, collections, record_bytes, answer_bytes,
            answer_count) ON underway.account TO authenticated;

        DO $$
        DECLARE
            name text;
        BEGIN
            FOREACH name IN ARRAY ARRAY[
                'device', 'record', 'damaged_record', 'mark', 'result', 'own_name', 'session', 'answer',
                'question_day', 'question_domain', 'answer_day']
            LOOP
                EXECUTE format('alter table underway.%I enable row level security', name);
                EXECUTE format('alter table underway.%I force row level security', name);
                EXECUTE format('create policy own on underway.%I to authenticated
                    using (account = (select underway.claim()))
                    with check (account = (select underway.claim()))', name);
            END LOOP;
        END $$;

        GRANT SELECT, INSERT, UPDATE, DELETE ON underway.device, underway.record TO authenticated;

        GRANT SELECT, INSERT, DELETE ON underway.mark, underway.result, underway.damaged_record
            TO authenticated;

        GRANT SELECT, INSERT ON underway.own_name, underway.session, underway.answer,
            underway.question_day, underway.question_domain TO authenticated;

        GRANT SELECT, INSERT, UPDATE ON underway.answer_day TO authenticated;
        """

    /// What belongs to no user, and what upkeep may see of users.
    static let upkeepRows = """
        CREATE POLICY keeper ON underway.record TO underway_keeper USING (deleted_at IS NOT NULL);

        GRANT SELECT (account, collection, id, position, deleted_at, json), DELETE
            ON underway.record TO underway_keeper;

        CREATE POLICY keeper ON underway.damaged_record FOR SELECT TO underway_keeper USING (TRUE);

        GRANT SELECT (account, position) ON underway.damaged_record TO underway_keeper;

        ALTER TABLE underway.setting ENABLE ROW LEVEL SECURITY;

        ALTER TABLE underway.setting FORCE ROW LEVEL SECURITY;

        CREATE POLICY all_read ON underway.setting FOR SELECT
            TO authenticated, underway_accounts, underway_keeper USING (TRUE);

        CREATE POLICY keeper ON underway.setting TO underway_keeper USING (TRUE) WITH CHECK (TRUE);

        GRANT SELECT ON underway.setting TO authenticated, underway_accounts, underway_keeper;

        GRANT INSERT, UPDATE ON underway.setting TO underway_keeper;
        """

    /// Deletes an account's answers and what was counted of them with the account.
    static let erasure = """
        -- Answers refer to their account by no foreign key: its check would cost as much as the row.
        CREATE FUNCTION underway.erased() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
            RETURN nullif(current_setting('underway.erased', TRUE), '')::bigint;

        CREATE POLICY erased ON underway.answer TO underway_owner
            USING (account = (SELECT underway.erased()));

        CREATE POLICY erased ON underway.question_day TO underway_owner
            USING (account = (SELECT underway.erased()));

        CREATE POLICY erased ON underway.question_domain TO underway_owner
            USING (account = (SELECT underway.erased()));

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
}
