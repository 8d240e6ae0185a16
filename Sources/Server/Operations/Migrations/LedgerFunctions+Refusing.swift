extension LedgerFunctions {
    /// Counts records by collection, finds the records that a constraint refuses, and forgets deleted ones.
    static let refusing = """
        -- The numbers of records by collection with those that are new; null when none is.
        CREATE FUNCTION underway.new_collections(p_collections text[], p_ids text[]) RETURNS jsonb
            LANGUAGE plpgsql VOLATILE
            SET search_path = underway, pg_temp SET plan_cache_mode = force_generic_plan AS $$
        DECLARE
            v_account bigint := claim();
        BEGIN
            RETURN (
                WITH added AS (
                    SELECT u.collection, count(*) AS records
                    FROM unnest(p_collections, p_ids) u (collection, id)
                    WHERE (SELECT r.position FROM record r WHERE r.account = v_account
                        AND r.collection = u.collection AND r.id = u.id) IS NULL
                    GROUP BY u.collection)
                SELECT a.collections || jsonb_object_agg(
                    n.collection, coalesce((a.collections ->> n.collection)::bigint, 0) + n.records)
                FROM account a, added n WHERE a.number = v_account GROUP BY a.collections);
        END $$;

        CREATE FUNCTION underway.ledger_refused_1(
            p_record_collections text[], p_record_ids text[], p_record_positions bigint[],
            p_record_batches bigint[], p_record_deletions bigint[], p_record_jsons text[])
            RETURNS setof integer
            LANGUAGE plpgsql VOLATILE
            SET search_path = underway, pg_temp SET plan_cache_mode = force_generic_plan AS $$
        BEGIN
            FOR v_place IN 1 .. cardinality(p_record_ids) LOOP
                BEGIN
                    PERFORM ledger_write_1(
                        p_record_collections => p_record_collections[v_place:v_place],
                        p_record_ids => p_record_ids[v_place:v_place],
                        p_record_positions => p_record_positions[v_place:v_place],
                        p_record_batches => p_record_batches[v_place:v_place],
                        p_record_deletions => p_record_deletions[v_place:v_place],
                        p_record_jsons => p_record_jsons[v_place:v_place]);
                EXCEPTION WHEN check_violation OR not_null_violation OR data_exception THEN
                    RETURN NEXT v_place;
                END;
            END LOOP;
        END $$;

        CREATE FUNCTION underway.purge_1(
            p_account bigint, p_collections text[], p_ids text[], p_before bigint)
            RETURNS void LANGUAGE plpgsql VOLATILE
            SET search_path = underway, pg_temp SET plan_cache_mode = force_generic_plan
            SET enable_nestloop = off AS $$
        BEGIN
            PERFORM FROM account WHERE number = p_account FOR NO KEY UPDATE;
            WITH gone AS (
                DELETE FROM record r USING unnest(p_collections, p_ids) u (collection, id)
                    WHERE r.account = p_account AND r.collection = u.collection AND r.id = u.id
                        AND r.deleted_at < p_before
                    RETURNING r.collection, r.position, octet_length(r.json::text) AS bytes
            ), counts AS (
                SELECT collection, count(*) AS records, max(position) AS position, sum(bytes) AS bytes
                FROM gone GROUP BY collection
            ), sums AS (
                SELECT max(c.position) AS position, sum(c.bytes)::bigint AS bytes,
                    jsonb_object_agg(c.collection,
                        (a.collections ->> c.collection)::bigint - c.records) AS collections
                FROM counts c, account a WHERE a.number = p_account
            )
            UPDATE account a SET purged_through = greatest(a.purged_through, s.position),
                record_bytes = a.record_bytes - s.bytes, collections = a.collections || s.collections
                FROM sums s WHERE a.number = p_account AND s.position IS NOT NULL;
        END $$;
        """
}
