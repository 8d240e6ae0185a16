/// The digests of answers.
enum DigestMigration {
    /// The digest of each device's answers, which an exchange writes with them.
    ///
    /// The first exchange of an account computes those that are missing.
    static let digests = PostgresMigration(
        name: "11 digests of answers",
        script: """
            ALTER TABLE underway.device ADD COLUMN answers_sum bigint, ADD COLUMN answers_cross bigint;

            CREATE FUNCTION underway.ledger_devices_2()
                RETURNS TABLE (
                    number integer, name text, last_answer integer, answers_sum bigint,
                    answers_cross bigint, last_seen_at bigint, is_retired boolean,
                    processed_before bigint, request_number bigint, request_hash bytea,
                    head_position bigint, head_epoch text, unread_results bigint)
                LANGUAGE plpgsql VOLATILE
                SET search_path = underway, pg_temp SET plan_cache_mode = force_generic_plan AS $$
            #variable_conflict use_column
            BEGIN
                RETURN QUERY
                    SELECT d.number, d.name, d.last_answer, d.answers_sum, d.answers_cross,
                        d.last_seen_at, d.is_retired, d.processed_before, d.request_number,
                        d.request_hash, d.head_position, d.head_epoch,
                        (SELECT count(*) FROM result r WHERE r.account = d.account
                            AND r.device = d.number AND r.counter >= d.processed_before)
                    FROM device d WHERE d.account = claim() ORDER BY d.number;
            END $$;

            CREATE FUNCTION underway.ledger_digests_1(
                p_devices text[], p_sums bigint[], p_crosses bigint[])
                RETURNS void LANGUAGE plpgsql VOLATILE
                SET search_path = underway, pg_temp SET plan_cache_mode = force_generic_plan AS $$
            BEGIN
                UPDATE device d SET answers_sum = u.sum, answers_cross = u.cross_sum
                    FROM unnest(p_devices, p_sums, p_crosses) u (name, sum, cross_sum)
                    WHERE d.account = claim() AND d.name = u.name;
            END $$;
            """)
}
