extension LedgerFunctions {
    /// Reads results, records and the log as far as an exchange names them.
    static let reading = """
        CREATE FUNCTION underway.ledger_results_1(p_device text, p_counters bigint[])
            RETURNS TABLE (counter bigint, kind text, revision bigint, refusal text, hash bytea)
            LANGUAGE plpgsql VOLATILE
            SET search_path = underway, pg_temp SET plan_cache_mode = force_generic_plan AS $$
        #variable_conflict use_column
        BEGIN
            RETURN QUERY
                SELECT r.counter, r.kind, r.revision, r.refusal, r.hash
                FROM device d JOIN result r ON r.account = d.account AND r.device = d.number
                WHERE d.account = claim() AND d.name = p_device AND r.counter = ANY (p_counters);
        END $$;

        CREATE FUNCTION underway.ledger_records_1(p_collections text[], p_ids text[])
            RETURNS TABLE (
                collection text, id text, "position" bigint, batch bigint, deleted_at bigint, json text)
            LANGUAGE plpgsql VOLATILE
            SET search_path = underway, pg_temp SET plan_cache_mode = force_generic_plan AS $$
        #variable_conflict use_column
        DECLARE
            v_account bigint := claim();
        BEGIN
            RETURN QUERY
                SELECT r.collection, r.id, r.position, r.batch, r.deleted_at, r.json::text
                FROM unnest(p_collections, p_ids) k (collection, id) CROSS JOIN LATERAL (
                    SELECT * FROM record r WHERE r.account = v_account
                        AND r.collection = k.collection AND r.id = k.id LIMIT 1) r;
        END $$;

        CREATE FUNCTION underway.ledger_page_1(p_after bigint, p_records integer, p_bytes bigint)
            RETURNS TABLE ("position" bigint, batch bigint, deleted_at bigint, json text)
            LANGUAGE plpgsql VOLATILE
            SET search_path = underway, pg_temp SET plan_cache_mode = force_generic_plan AS $$
        #variable_conflict use_column
        DECLARE
            v_records bigint := 0;
            v_bytes bigint := 0;
            v_batch bigint;
        BEGIN
            FOR position, batch, deleted_at, json IN
                SELECT r.position, r.batch, r.deleted_at, r.json::text FROM record r
                WHERE r.account = claim() AND r.position > p_after ORDER BY r.position
            LOOP
                RETURN NEXT;
                v_records := v_records + 1;
                v_bytes := v_bytes + octet_length(json);
                -- One record behind the page says that the log goes on.
                EXIT WHEN v_batch <> batch AND (v_records > p_records OR v_bytes > p_bytes);
                v_batch := batch;
            END LOOP;
        END $$;
        """
}
