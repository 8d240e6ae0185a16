extension SQLiteCopy {
    /// Returns the query whose columns are those of the table, in the order of its key.
    static func selection(_ table: CopyTable) -> String {
        switch table {
        case .settings: "SELECT name, value FROM setting WHERE name = 'generation'"
        case .accounts: accounts
        case .passwords:
            """
            SELECT account, email, salt, hash, rounds, verified_at FROM password
            ORDER BY account
            """
        case .identities: "SELECT issuer, subject, account FROM identity ORDER BY issuer, subject"
        case .emailCodes:
            """
            SELECT account, purpose, hash, email, expires_at FROM email_code
            ORDER BY account, purpose, hash
            """
        case .refreshTokens:
            """
            SELECT hash, family, parent, account, expires_at, used_at, generation
            FROM refresh_token ORDER BY hash
            """
        case .devices: devices
        case .records:
            """
            SELECT account, collection, id, position, batch, deleted_at, json FROM record
            ORDER BY account, collection, id
            """
        case .damagedRecords:
            """
            SELECT account, collection, id, position, found_at, json FROM damaged_record
            ORDER BY account, position
            """
        case .marks: "SELECT account, position, text FROM mark ORDER BY account, position"
        case .results:
            """
            SELECT device.account AS account, device.name AS device, counter, kind, revision, refusal, hash
            FROM device JOIN result ON result.device = device.number
            ORDER BY device.account, device.name, counter
            """
        case .answers: answers
        case .moves:
            """
            SELECT source, target, answers, begun_at, finished_at, place FROM account_move
            ORDER BY source
            """
        case .boardProfiles:
            """
            SELECT account, code, name, is_listed, is_name_blocked
            FROM board_profile ORDER BY account
            """
        case .boardDefinitions: "SELECT name, text FROM board_definition ORDER BY name"
        case .events:
            "SELECT number, id, name, text, frozen_at, places FROM event ORDER BY number"
        case .eventSubmissions:
            """
            SELECT event, account, id, points, at FROM event_submission ORDER BY event, account, id
            """
        case .eventScores:
            """
            SELECT event, account, score, second, submissions, rank FROM event_score
            ORDER BY event, account
            """
        case .deviceContents:
            """
            SELECT device.account AS account, device.name AS device, release, obstacle, since, day
            FROM device_content JOIN device ON device.number = device_content.device
            ORDER BY device.account, device.name
            """
        case .roles: "SELECT account, role, since FROM role ORDER BY account, role"
        case .auditEntries:
            "SELECT number, at, actor, action, subject, detail FROM audit ORDER BY number"
        case .proposals:
            """
            SELECT number, bank, question, version, key, proposed_key, state, evidence,
                flagged_at, changed_at, actor, decided_at, reason, release, shipped_at, follows
            FROM proposal ORDER BY number
            """
        case .releaseSpreads:
            """
            SELECT release, served_at, half, most, nearly_all
            FROM release_spread ORDER BY release
            """
        }
    }

    private static let accounts = """
        SELECT number, id, created_at, position, purged_through, digest, epoch, record_bytes,
            answer_bytes, answer_count, last_used_at, deleted_at, token_generation
        FROM account ORDER BY number
        """

    private static let devices = """
        SELECT account, name, processed_before, request_number, request_hash, head_position,
            head_epoch, last_seen_at, is_retired,
            CASE WHEN account IN (\(wholeAccounts)) THEN last_answer ELSE 0 END AS last_answer,
            row_number() OVER (PARTITION BY account ORDER BY number) AS place
        FROM device ORDER BY account, number
        """

    /// All but the closed accounts whose answers upkeep removes in pieces: after a kill some are left.
    private static let wholeAccounts = """
        SELECT number FROM account AS whole WHERE id NOT GLOB 'deleted *' OR NOT EXISTS (
            SELECT 1 FROM device AS one WHERE one.account = whole.number AND last_answer <> (
                SELECT count(*) FROM answerRow AS its WHERE its.device = one.number))
        """

    /// Numbers that old rows lack are 0, as wherever answers are read.
    private static let answers = """
        SELECT device.account AS account, device.name AS device, answerRow.counter AS counter,
            answerRow.question IS NULL AS is_void, answerQuestion.bank AS bank,
            answerQuestion.question AS question, answerQuestion.domain AS domain,
            answerQuestion.version AS version, answerSession.session AS session,
            answerSession.mode AS mode,
            CASE typeof(answerRow.response) WHEN 'integer' THEN
                (SELECT options FROM answerResponse WHERE number = answerRow.response)
                ELSE answerRow.response END AS options,
            answerRow.isCorrect AS is_correct,
            coalesce(answerRow.credit, CAST(answerRow.isCorrect AS REAL)) AS credit,
            answerRow.rating AS rating,
            CASE WHEN answerRow.question IS NOT NULL THEN coalesce(answerRow.takenMilliseconds, 0) END
                AS taken,
            CASE WHEN answerRow.question IS NOT NULL THEN coalesce(answerRow.exposuresBefore, 0) END
                AS exposures,
            CASE WHEN answerRow.question IS NOT NULL THEN coalesce(answerRow.isRandomlySelected, 0) END
                AS is_random,
            answerRow.milliseconds AS at, answerRow.offsetMinutes AS "offset"
        FROM device JOIN answerRow ON answerRow.device = device.number
            LEFT JOIN answerQuestion ON answerQuestion.number = answerRow.question
            LEFT JOIN answerSession ON answerSession.number = answerRow.session
        WHERE device.account IN (\(wholeAccounts))
        ORDER BY device.account, device.name, answerRow.counter
        """

    /// Returns the statement that adds a row, of which it takes as many values from the first on as it has places.
    static func insertion(_ table: CopyTable) -> String {
        switch table {
        case .settings: "INSERT INTO setting (name, value) VALUES (?, ?)"
        case .accounts:
            """
            INSERT INTO account (number, id, created_at, position, purged_through, digest, epoch,
                record_bytes, answer_bytes, answer_count, last_used_at, deleted_at, token_generation)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        case .passwords:
            """
            INSERT INTO password (account, email, salt, hash, rounds, verified_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """
        case .identities: "INSERT INTO identity (issuer, subject, account) VALUES (?, ?, ?)"
        case .emailCodes:
            "INSERT INTO email_code (account, purpose, hash, email, expires_at) VALUES (?, ?, ?, ?, ?)"
        case .refreshTokens:
            """
            INSERT INTO refresh_token (hash, family, parent, account, expires_at, used_at, generation)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """
        case .devices:
            """
            INSERT INTO device (account, name, processed_before, request_number, request_hash, head_position,
                head_epoch, last_seen_at, is_retired)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        case .records:
            """
            INSERT INTO record (account, collection, id, position, batch, deleted_at, json)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """
        case .damagedRecords:
            """
            INSERT INTO damaged_record (account, collection, id, position, found_at, json)
            VALUES (?, ?, ?, ?, ?, ?)
            """
        case .marks: "INSERT INTO mark (account, position, text) VALUES (?, ?, ?)"
        case .results:
            """
            INSERT INTO result (device, counter, kind, revision, refusal, hash)
            VALUES ((SELECT number FROM device WHERE account = ? AND name = ?), ?, ?, ?, ?, ?)
            """
        case .answers: ""
        case .moves:
            """
            INSERT INTO account_move (source, target, answers, begun_at, finished_at, place)
            VALUES (?, ?, ?, ?, ?, ?)
            """
        case .boardProfiles:
            """
            INSERT INTO board_profile (account, code, name, is_listed, is_name_blocked)
            VALUES (?, ?, ?, ?, ?)
            """
        case .boardDefinitions: "INSERT INTO board_definition (name, text) VALUES (?, ?)"
        case .events:
            """
            INSERT INTO event (number, id, name, text, frozen_at, places) VALUES (?, ?, ?, ?, ?, ?)
            """
        case .eventSubmissions:
            "INSERT INTO event_submission (event, account, id, points, at) VALUES (?, ?, ?, ?, ?)"
        case .eventScores:
            """
            INSERT INTO event_score (event, account, score, second, submissions, rank)
            VALUES (?, ?, ?, ?, ?, ?)
            """
        case .deviceContents:
            """
            INSERT INTO device_content (device, release, obstacle, since, day)
            VALUES ((SELECT number FROM device WHERE account = ? AND name = ?), ?, ?, ?, ?)
            """
        case .roles: "INSERT INTO role (account, role, since) VALUES (?, ?, ?)"
        case .auditEntries:
            """
            INSERT INTO audit (number, at, actor, action, subject, detail) VALUES (?, ?, ?, ?, ?, ?)
            """
        case .proposals:
            """
            INSERT INTO proposal (number, bank, question, version, key, proposed_key, state, evidence,
                flagged_at, changed_at, actor, decided_at, reason, release, shipped_at, follows)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        case .releaseSpreads:
            """
            INSERT INTO release_spread (release, served_at, half, most, nearly_all) VALUES (?, ?, ?, ?, ?)
            """
        }
    }
}
