extension LedgerFunctions {
    /// Writes what an exchange decided, but for answers.
    static let writing = """
        CREATE FUNCTION underway.ledger_write_1(
            p_position bigint DEFAULT NULL, p_digest text DEFAULT NULL, p_epoch text DEFAULT NULL,
            p_record_bytes bigint DEFAULT NULL, p_answer_bytes bigint DEFAULT NULL,
            p_answer_count bigint DEFAULT NULL,
            p_retired text[] DEFAULT NULL, p_forgotten text[] DEFAULT NULL,
            p_device text DEFAULT NULL, p_last_seen_at bigint DEFAULT NULL,
            p_processed_before bigint DEFAULT NULL, p_request_number bigint DEFAULT NULL,
            p_request_hash bytea DEFAULT NULL, p_head_position bigint DEFAULT NULL,
            p_head_epoch text DEFAULT NULL,
            p_result_counters bigint[] DEFAULT NULL, p_result_kinds text[] DEFAULT NULL,
            p_result_revisions bigint[] DEFAULT NULL, p_result_refusals text[] DEFAULT NULL,
            p_result_hashes text[] DEFAULT NULL, p_results_before bigint DEFAULT NULL,
            p_record_collections text[] DEFAULT NULL, p_record_ids text[] DEFAULT NULL,
            p_record_positions bigint[] DEFAULT NULL, p_record_batches bigint[] DEFAULT NULL,
            p_record_deletions bigint[] DEFAULT NULL, p_record_jsons text[] DEFAULT NULL,
            p_mark_position bigint DEFAULT NULL, p_mark_text text DEFAULT NULL,
            p_marks_max integer DEFAULT NULL)
            RETURNS void LANGUAGE plpgsql VOLATILE
            SET search_path = underway, pg_temp SET plan_cache_mode = force_generic_plan AS $$
        DECLARE
            v_account bigint := claim();
            v_device integer;
            v_collections jsonb;
        BEGIN
            IF p_retired IS NOT NULL THEN
                UPDATE device SET is_retired = TRUE WHERE account = v_account AND name = ANY (p_retired);
                DELETE FROM result r USING device d
                    WHERE d.account = v_account AND d.name = ANY (p_retired) AND r.account = v_account
                        AND r.device = d.number AND r.kind IN ('conflict', 'refused');
            END IF;
            IF p_forgotten IS NOT NULL THEN
                DELETE FROM result r USING device d
                    WHERE d.account = v_account AND d.name = ANY (p_forgotten) AND r.account = v_account
                        AND r.device = d.number;
            END IF;
            IF p_retired IS NOT NULL OR p_forgotten IS NOT NULL THEN
                DELETE FROM device d
                    WHERE d.account = v_account AND d.name = ANY (p_retired || p_forgotten)
                        AND d.last_answer = 0 AND NOT EXISTS (
                            SELECT FROM result r WHERE r.account = v_account AND r.device = d.number);
            END IF;
            IF p_device IS NOT NULL THEN
                UPDATE device SET last_seen_at = p_last_seen_at, processed_before = p_processed_before,
                        request_number = p_request_number, request_hash = p_request_hash,
                        head_position = p_head_position, head_epoch = p_head_epoch
                    WHERE account = v_account AND name = p_device RETURNING number INTO v_device;
                IF v_device IS NULL THEN
                    INSERT INTO device (account, number, name, last_seen_at, processed_before,
                            request_number, request_hash, head_position, head_epoch)
                        SELECT v_account, coalesce(max(d.number), 0) + 1, p_device, p_last_seen_at,
                            p_processed_before, p_request_number, p_request_hash, p_head_position,
                            p_head_epoch
                        FROM device d WHERE d.account = v_account
                        RETURNING number INTO v_device;
                END IF;
                IF p_result_counters IS NOT NULL THEN
                    INSERT INTO result (account, device, counter, kind, revision, refusal, hash)
                        SELECT v_account, v_device, u.counter, u.kind, u.revision, u.refusal,
                            decode(u.hash, 'hex')
                        FROM unnest(p_result_counters, p_result_kinds, p_result_revisions,
                            p_result_refusals, p_result_hashes)
                            u (counter, kind, revision, refusal, hash);
                END IF;
                IF p_results_before > 0 THEN
                    DELETE FROM result WHERE account = v_account AND device = v_device
                        AND counter < p_results_before;
                END IF;
            END IF;
            IF p_record_ids IS NOT NULL THEN
                v_collections := new_collections(p_record_collections, p_record_ids);
                INSERT INTO record (account, collection, id, position, batch, deleted_at, json)
                    SELECT v_account, u.collection, u.id, u.position, u.batch, u.deletion,
                        u.json::json
                    FROM unnest(p_record_collections, p_record_ids, p_record_positions,
                        p_record_batches, p_record_deletions, p_record_jsons)
                        u (collection, id, position, batch, deletion, json)
                    ON CONFLICT (account, collection, id) DO UPDATE SET position = excluded.position,
                        batch = excluded.batch, deleted_at = excluded.deleted_at, json = excluded.json;
            END IF;
            IF p_mark_position IS NOT NULL THEN
                INSERT INTO mark (account, position, text)
                    VALUES (v_account, p_mark_position, p_mark_text);
                DELETE FROM mark WHERE account = v_account AND position <= (
                    SELECT m.position FROM mark m WHERE m.account = v_account
                    ORDER BY m.position DESC OFFSET p_marks_max LIMIT 1);
            END IF;
            IF p_position IS NOT NULL OR v_collections IS NOT NULL THEN
                UPDATE account SET position = coalesce(p_position, position),
                    digest = coalesce(p_digest, digest), epoch = coalesce(p_epoch, epoch),
                    record_bytes = coalesce(p_record_bytes, record_bytes),
                    answer_bytes = coalesce(p_answer_bytes, answer_bytes),
                    answer_count = coalesce(p_answer_count, answer_count),
                    collections = coalesce(v_collections, collections)
                WHERE number = v_account;
            END IF;
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
        """
}
