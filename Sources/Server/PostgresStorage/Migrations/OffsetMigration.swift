/// The offset from UTC that a device's zone had when an answer was given.
enum OffsetMigration {
    /// The column, and the functions that write and read it; programs of before go on beside them.
    static let offsets = PostgresMigration(
        name: "12 offsets of answers",
        script: [column, appending, reading].joined(separator: "\n\n"))

    /// Answers of before have none.
    private static let column = """
        ALTER TABLE underway.answer ADD COLUMN offset_minutes smallint
            CHECK (offset_minutes BETWEEN -1080 AND 1080);
        """

    private static let appending = """
        CREATE FUNCTION underway.ledger_append_2(
            p_device text, p_first bigint,
            p_name_kinds text[], p_name_digests uuid[], p_name_texts text[], p_name_banks text[],
            p_name_domains text[], p_name_questions integer[],
            p_session_names text[], p_session_modes text[],
            p_questions integer[], p_sessions integer[], p_options integer[], p_ats bigint[],
            p_taken integer[], p_exposures integer[], p_flags smallint[], p_credits double precision[],
            p_responses text[], p_offsets smallint[],
            p_place_days integer[], p_place_banks text[], p_place_domains text[],
            p_place_answers integer[], p_place_correct integer[], p_place_taken bigint[],
            p_place_lasts bigint[], p_place_histograms text[],
            p_day_questions integer[], p_day_places integer[],
            p_domain_questions integer[], p_domain_places integer[])
            RETURNS void LANGUAGE plpgsql VOLATILE
            SET search_path = underway, pg_temp SET plan_cache_mode = force_generic_plan AS $$
        DECLARE
            v_account bigint := claim();
            v_device integer;
            v_last integer;
            v_names integer[];
            v_sessions integer[];
        BEGIN
            SELECT d.number, d.last_answer INTO v_device, v_last
                FROM device d WHERE d.account = v_account AND d.name = p_device;
            IF p_first <> coalesce(v_last, 0) + 1 THEN
                RAISE EXCEPTION USING errcode = 'UL002', message = 'answers do not follow';
            END IF;
            IF v_device IS NULL THEN
                INSERT INTO device (account, number, name, last_answer)
                    SELECT v_account, coalesce(max(d.number), 0) + 1, p_device, 0
                    FROM device d WHERE d.account = v_account
                    RETURNING number INTO v_device;
            END IF;
            UPDATE device SET last_answer = p_first + cardinality(p_questions) - 1
                WHERE account = v_account AND number = v_device;
            v_names := own_names(p_name_kinds, p_name_digests, p_name_texts, p_name_banks,
                p_name_domains, p_name_questions);
            v_sessions := own_sessions(p_session_names, p_session_modes);
            INSERT INTO answer (account, device, counter, question, session, options, at, taken,
                    exposures, flags, credit, response, offset_minutes)
                SELECT v_account, v_device, p_first + u.place - 1, v_names[u.question],
                    v_sessions[u.session], v_names[u.options], u.at, u.taken, u.exposures, u.flags,
                    u.credit, u.response, u.offset_minutes
                FROM unnest(p_questions, p_sessions, p_options, p_ats, p_taken, p_exposures, p_flags,
                    p_credits, p_responses, p_offsets) WITH ORDINALITY
                    u (question, session, options, at, taken, exposures, flags, credit, response,
                        offset_minutes, place);
            PERFORM count_answers(v_names, p_place_days, p_place_banks, p_place_domains, p_place_answers,
                p_place_correct, p_place_taken, p_place_lasts, p_place_histograms, p_day_questions,
                p_day_places, p_domain_questions, p_domain_places);
        END $$;
        """

    private static let reading = """
        CREATE FUNCTION underway.answers_2(
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
        """
}
