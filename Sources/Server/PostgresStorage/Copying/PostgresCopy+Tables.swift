import UserService

extension PostgresCopy {
    /// The identity of an account for policies, which only this database has.
    static let userColumn = CopyColumn(name: "user_id", kind: .text)

    /// Returns the query whose columns are those of the table, in the order of its key.
    static func selection(_ table: CopyTable) -> String {
        switch table {
        case .settings: "SELECT name, value FROM underway.setting WHERE name = 'generation'"
        case .accounts:
            """
            SELECT number, id, created_at, position, purged_through, digest, epoch, record_bytes,
                answer_bytes, answer_count, last_used_at, deleted_at, token_generation
            FROM underway.account ORDER BY number
            """
        case .passwords:
            "SELECT account, email, salt, hash, rounds, verified_at FROM underway.password ORDER BY account"
        case .identities:
            "SELECT issuer, subject, account FROM underway.identity ORDER BY issuer, subject"
        case .emailCodes:
            """
            SELECT account, purpose, hash, email, expires_at FROM underway.email_code
            ORDER BY account, purpose, hash
            """
        case .refreshTokens:
            """
            SELECT hash, family, parent, account, expires_at, used_at, generation
            FROM underway.refresh_token ORDER BY hash
            """
        case .devices:
            """
            SELECT account, name, processed_before, request_number, request_hash, head_position,
                head_epoch, last_seen_at, is_retired::integer AS is_retired,
                CASE WHEN account IN (\(wholeAccounts)) THEN last_answer ELSE 0 END AS last_answer,
                row_number() OVER (PARTITION BY account ORDER BY number) AS place
            FROM underway.device ORDER BY account, number
            """
        case .records:
            """
            SELECT account, collection, id, position, batch, deleted_at, json::text AS json
            FROM underway.record ORDER BY account, collection, id
            """
        case .damagedRecords:
            """
            SELECT account, collection, id, position, found_at, json FROM underway.damaged_record
            ORDER BY account, position
            """
        case .marks: "SELECT account, position, text FROM underway.mark ORDER BY account, position"
        case .results:
            """
            SELECT r.account, d.name AS device, r.counter, r.kind, r.revision, r.refusal, r.hash
            FROM underway.result r
                JOIN underway.device d ON d.account = r.account AND d.number = r.device
            ORDER BY r.account, d.name, r.counter
            """
        case .answers: answers
        case .moves:
            """
            SELECT source, target, answers, begun_at, finished_at, place FROM underway.account_move
            ORDER BY source
            """
        case .boardProfiles:
            """
            SELECT account, code, name, is_listed::integer AS is_listed,
                is_name_blocked::integer AS is_name_blocked FROM underway.board_profile
            ORDER BY account
            """
        case .boardDefinitions: "SELECT name, text FROM underway.board_definition ORDER BY name"
        case .events:
            "SELECT number, id, name, text, frozen_at, places FROM underway.event ORDER BY number"
        case .eventSubmissions:
            """
            SELECT event, account, id, points, at FROM underway.event_submission
            ORDER BY event, account, id
            """
        case .eventScores:
            """
            SELECT event, account, score, second, submissions, rank FROM underway.event_score
            ORDER BY event, account
            """
        case .deviceContents:
            """
            SELECT c.account, d.name AS device, c.release, c.obstacle, c.since, c.day
            FROM underway.device_content c
                JOIN underway.device d ON d.account = c.account AND d.number = c.device
            ORDER BY c.account, d.name
            """
        case .roles: "SELECT account, role, since FROM underway.role ORDER BY account, role"
        case .auditEntries:
            "SELECT number, at, actor, action, subject, detail FROM underway.audit ORDER BY number"
        case .proposals:
            """
            SELECT number, bank, question, version, key, proposed_key, state, evidence, flagged_at,
                changed_at, actor, decided_at, reason, release, shipped_at, follows
            FROM underway.proposal ORDER BY number
            """
        case .releaseSpreads:
            """
            SELECT release, served_at, half, most, nearly_all FROM underway.release_spread
            ORDER BY release
            """
        }
    }

    /// All but the closed accounts whose answers upkeep removes in pieces: after a kill some are left.
    private static let wholeAccounts = """
        SELECT number FROM underway.account whole WHERE id NOT LIKE 'deleted %' OR NOT EXISTS (
            SELECT FROM underway.device one WHERE one.account = whole.number AND last_answer <> (
                SELECT count(*) FROM underway.answer its
                WHERE its.account = one.account AND its.device = one.number))
        """

    private static let answers = """
        SELECT a.account, d.name AS device, a.counter, (a.question IS NULL)::integer AS is_void,
            q.bank, q.text AS question, v.domain, v.text AS version, s.name AS session, s.mode,
            coalesce(o.text, a.response) AS options, a.flags & 1 AS is_correct,
            CASE WHEN a.question IS NOT NULL
                THEN coalesce(a.credit, (a.flags & 1)::double precision) END AS credit,
            nullif(a.flags >> 2, 0) AS rating, a.taken, a.exposures,
            (a.flags >> 1) & 1 AS is_random, a.at, a.offset_minutes AS "offset"
        FROM underway.answer a
            JOIN underway.device d ON d.account = a.account AND d.number = a.device
            LEFT JOIN underway.own_name v ON v.account = a.account AND v.number = a.question
            LEFT JOIN underway.own_name q ON q.account = v.account AND q.number = v.question
            LEFT JOIN underway.own_name o ON o.account = a.account AND o.number = a.options
            LEFT JOIN underway.session s ON s.account = a.account AND s.number = a.session
        WHERE a.account IN (\(wholeAccounts))
        ORDER BY a.account, d.name, a.counter
        """

    /// Returns the statement that adds `rows`.
    static func insertion(_ table: CopyTable) -> String {
        switch table {
        case .settings: "INSERT INTO underway.setting (name, value) SELECT name, value FROM rows"
        case .accounts: accountInsertion
        case .passwords:
            """
            INSERT INTO underway.password (account, email, salt, hash, rounds, verified_at)
            SELECT account, email, decode(salt, 'hex'), decode(hash, 'hex'), rounds, verified_at FROM rows
            """
        case .identities:
            """
            INSERT INTO underway.identity (issuer, subject, account)
            SELECT issuer, subject, account FROM rows
            """
        case .emailCodes:
            """
            INSERT INTO underway.email_code (account, purpose, hash, email, expires_at)
            SELECT account, purpose, decode(hash, 'hex'), email, expires_at FROM rows
            """
        case .refreshTokens:
            """
            INSERT INTO underway.refresh_token
                (hash, family, parent, account, expires_at, used_at, generation)
            SELECT decode(hash, 'hex'), family, decode(parent, 'hex'), account, expires_at, used_at,
                generation
            FROM rows
            """
        case .devices: deviceInsertion
        case .records:
            """
            INSERT INTO underway.record (account, collection, id, position, batch, deleted_at, json)
            SELECT account, collection, id, position, batch, deleted_at, json::json FROM rows
            """
        case .damagedRecords:
            """
            INSERT INTO underway.damaged_record (account, collection, id, position, found_at, json)
            SELECT account, collection, id, position, found_at, json FROM rows
            """
        case .marks:
            """
            INSERT INTO underway.mark (account, position, text)
            SELECT account, position, text FROM rows
            """
        case .results:
            """
            INSERT INTO underway.result (account, device, counter, kind, revision, refusal, hash)
            SELECT r.account, d.number, r.counter, r.kind, r.revision, r.refusal, decode(r.hash, 'hex')
            FROM rows r JOIN underway.device d ON d.account = r.account AND d.name = r.device
            """
        case .answers: ""
        case .moves:
            """
            INSERT INTO underway.account_move
                (source, target, answers, begun_at, finished_at, place)
            SELECT source, target, answers, begun_at, finished_at, place FROM rows
            """
        case .boardProfiles:
            """
            INSERT INTO underway.board_profile (account, code, name, is_listed, is_name_blocked)
            SELECT account, code, name, is_listed <> 0, is_name_blocked <> 0 FROM rows
            """
        case .boardDefinitions:
            "INSERT INTO underway.board_definition (name, text) SELECT name, text FROM rows"
        case .events:
            """
            INSERT INTO underway.event (number, id, name, text, frozen_at, places)
            OVERRIDING SYSTEM VALUE SELECT number, id, name, text, frozen_at, places FROM rows
            """
        case .eventSubmissions:
            """
            INSERT INTO underway.event_submission (event, account, id, points, at)
            SELECT event, account, id, points, at FROM rows
            """
        case .eventScores:
            """
            INSERT INTO underway.event_score (event, account, score, second, submissions, rank)
            SELECT event, account, score, second, submissions, rank FROM rows
            """
        case .deviceContents:
            """
            INSERT INTO underway.device_content (account, device, release, obstacle, since, day)
            SELECT r.account, d.number, r.release, r.obstacle, r.since, r.day
            FROM rows r JOIN underway.device d ON d.account = r.account AND d.name = r.device
            """
        case .roles:
            "INSERT INTO underway.role (account, role, since) SELECT account, role, since FROM rows"
        case .auditEntries:
            """
            INSERT INTO underway.audit (number, at, actor, action, subject, detail)
            OVERRIDING SYSTEM VALUE SELECT number, at, actor, action, subject, detail FROM rows
            """
        case .proposals:
            """
            INSERT INTO underway.proposal (number, bank, question, version, key, proposed_key, state,
                evidence, flagged_at, changed_at, actor, decided_at, reason, release, shipped_at,
                follows)
            OVERRIDING SYSTEM VALUE SELECT number, bank, question, version, key, proposed_key, state,
                evidence, flagged_at, changed_at, actor, decided_at, reason, release, shipped_at,
                follows
            FROM rows
            """
        case .releaseSpreads:
            """
            INSERT INTO underway.release_spread (release, served_at, half, most, nearly_all)
            SELECT release, served_at, half, most, nearly_all FROM rows
            """
        }
    }

    private static let accountInsertion = """
        INSERT INTO underway.account (number, id, user_id, created_at, position, purged_through, digest,
            epoch, record_bytes, answer_bytes, answer_count, last_used_at, deleted_at,
            token_generation)
        OVERRIDING SYSTEM VALUE
        SELECT number, id, user_id::uuid, created_at, position, purged_through, digest, epoch,
            record_bytes, answer_bytes, answer_count, last_used_at, deleted_at, token_generation
        FROM rows
        """

    /// The last answer is written with the answers.
    private static let deviceInsertion = """
        INSERT INTO underway.device (account, number, name, processed_before, request_number,
            request_hash, head_position, head_epoch, last_seen_at, is_retired)
        SELECT account, place, name, processed_before, request_number, decode(request_hash, 'hex'),
            head_position, head_epoch, last_seen_at, is_retired <> 0
        FROM rows
        """
}
