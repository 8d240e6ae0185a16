extension LedgerFunctions {
    /// The function that reads runs of answers, and the names in them.
    ///
    /// It reads at least the first two answers, and the one that exceeds the limit of bytes: more than a caller that
    /// also counts the texts can use.
    static let answers = """
        CREATE FUNCTION underway.answers_1(
            p_devices text[], p_firsts bigint[], p_lasts bigint[], p_bytes bigint)
            RETURNS TABLE (
                place integer, counter integer, question integer, session integer, options integer,
                at bigint, taken integer, exposures integer, flags smallint, credit double precision,
                response text, offset_minutes smallint)
            LANGUAGE plpgsql VOLATILE
            SET search_path = underway, pg_temp SET plan_cache_mode = force_generic_plan AS $$
        #variable_conflict use_column
        BEGIN
            RETURN QUERY
                SELECT r.place, r.counter, r.question, r.session, r.options, r.at, r.taken, r.exposures,
                    r.flags, r.credit, r.response, r.offset_minutes
                FROM (
                    SELECT u.place::integer AS place, a.*,
                        sum(CASE WHEN a.question IS NULL THEN 1
                            ELSE 64 + coalesce(octet_length(a.response), 0) END)
                            OVER (ORDER BY u.place, a.counter
                                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before,
                        row_number() OVER (ORDER BY u.place, a.counter) AS count
                    FROM unnest(p_devices, p_firsts, p_lasts) WITH ORDINALITY
                        u (device, first, last, place)
                        JOIN device d ON d.account = claim() AND d.name = u.device
                        JOIN answer a ON a.account = d.account AND a.device = d.number
                            AND a.counter BETWEEN u.first AND u.last) r
                WHERE r.bytes_before <= p_bytes OR r.count <= 2
                ORDER BY r.place, r.counter;
        END $$;

        CREATE FUNCTION underway.answer_names_1(
            p_versions integer[], p_options integer[], p_sessions integer[])
            RETURNS TABLE (
                number integer, kind text, bank text, question text, domain text, text text)
            LANGUAGE plpgsql VOLATILE
            SET search_path = underway, pg_temp SET plan_cache_mode = force_generic_plan AS $$
        #variable_conflict use_column
        DECLARE
            v_account bigint := claim();
        BEGIN
            RETURN QUERY
                SELECT v.number, v.kind, q.bank, q.text, v.domain, v.text
                    FROM unnest(p_versions) u (number)
                        CROSS JOIN LATERAL (SELECT * FROM own_name v
                            WHERE v.account = v_account AND v.number = u.number LIMIT 1) v
                        CROSS JOIN LATERAL (SELECT * FROM own_name q
                            WHERE q.account = v_account AND q.number = v.question LIMIT 1) q
                UNION ALL
                SELECT o.number, o.kind, NULL, NULL, NULL, o.text
                    FROM unnest(p_options) u (number)
                        CROSS JOIN LATERAL (SELECT * FROM own_name o
                            WHERE o.account = v_account AND o.number = u.number LIMIT 1) o
                UNION ALL
                SELECT s.number, 'session', NULL, NULL, s.name, s.mode
                    FROM unnest(p_sessions) u (number)
                        CROSS JOIN LATERAL (SELECT * FROM session s
                            WHERE s.account = v_account AND s.number = u.number LIMIT 1) s;
        END $$;
        """
}
