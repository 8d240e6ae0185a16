import Foundation
import PostgresDriver
import ServiceAPI
import Tables
import UserData

/// The statements that write what was decided about an account.
struct LedgerWriting {
    /// A parameter of `ledger_write_1`; those that are left out change nothing.
    private struct Argument {
        var name: String
        var value: PostgresValue

        init(_ name: String, _ value: some PostgresEncodable) {
            self.name = name
            self.value = value.postgresValue
        }
    }

    private let changes: LedgerChanges

    init(_ changes: LedgerChanges) { self.changes = changes }

    /// The records that no text of the database can contain.
    var unstorable: Set<RecordKey> {
        Set(
            changes.records.lazy.filter { !$0.record.key.isStorable || $0.json.utf8.contains(0) }
                .map(\.record.key))
    }

    /// The statements; none when nothing changes.
    var statements: [PostgresStatement] {
        let arguments = self.arguments
        let write: PostgresStatement? =
            arguments.isEmpty
            ? nil
            : PostgresStatement(
                sql: "SELECT underway.ledger_write_1("
                    + arguments.enumerated().map { "\($1.name) => $\($0 + 1)" }
                    .joined(separator: ", ") + ")",
                arguments.map(\.value))
        return [write].compactMap(\.self)
            + changes.runs.map { run in
                AnswerBatch(run.encoded, counting: run.counted(without: uncounted))
                    .statement(for: run.span)
            }
            + (changes.digests.isEmpty ? [] : [digests])
            + (changes.sessions.isEmpty ? [] : [SessionSums(changes.sessions).addition])
            + retractions
            + (changes.firstAnswers.isEmpty ? [] : [Contributions.adding(changes.firstAnswers)])
            + (changes.concernsReview ? [Contributions.change] : [])
    }

    private var uncounted: Set<AnswerID> { changes.retractions.uncounted }

    /// Stores retractions after the sums of sessions, and subtracts what they take back.
    private var retractions: [PostgresStatement] {
        let (changes, first) = (changes.retractions, changes.retractedFirstAnswers)
        let bounds =
            StoredRetraction.writing(changes) + StoredRetraction.clearing(changes.takenBack)
        return bounds.compactMap(\.inPostgres)
            + (changes.takenBack.isEmpty ? [] : [Self.recounting(changes.takenBack.map(\.row))])
            + (first.isEmpty ? [] : [Contributions.adding(first, areRetracted: true)])
    }

    private static func recounting(_ rows: [AnswerRow]) -> PostgresStatement {
        let days = Set(rows.map { Int32(min($0.milliseconds / 86_400_000, AnswerTally.dayMax)) })
        return """
            SELECT underway.ledger_recount_1(\(days.sorted()), \(rows.map(\.bank)),
                \(rows.map { $0.domain ?? "" }))
            """
    }

    private var digests: PostgresStatement {
        let digests = changes.digests.sorted { $0.key < $1.key }
        return """
            SELECT underway.ledger_digests_1(\(digests.map(\.key.text)),
                \(digests.map { Int64(bitPattern: $0.value.sum) }),
                \(digests.map { Int64(bitPattern: $0.value.cross) }))
            """
    }

    /// The statement that returns the places of the records which a constraint refuses, from 1.
    var refusals: PostgresStatement {
        let rows = recordArguments
        return PostgresStatement(
            sql: "SELECT place FROM underway.ledger_refused_1("
                + rows.enumerated().map { "\($1.name) => $\($0 + 1)" }.joined(separator: ", ")
                + ") AS place",
            rows.map(\.value))
    }

    // MARK: Arguments

    private var arguments: [Argument] {
        totalArguments + retirementArguments + deviceArguments
            + (changes.records.isEmpty ? [] : recordArguments) + markArguments
    }

    private var totalArguments: [Argument] {
        guard let totals = changes.account else { return [] }
        return [
            Argument("p_position", Int64(totals.position)),
            Argument("p_digest", totals.digest.text), Argument("p_epoch", totals.epoch),
            Argument("p_record_bytes", totals.recordBytes),
            Argument("p_answer_bytes", totals.answerBytes),
            Argument("p_answer_count", totals.answerCount),
        ]
    }

    private var retirementArguments: [Argument] {
        [("p_retired", changes.retired), ("p_forgotten", changes.forgotten)]
            .filter { !$0.1.isEmpty }
            .map { Argument($0.0, $0.1.map(\.text)) }
    }

    private var deviceArguments: [Argument] {
        guard let device = changes.device else { return [] }
        return [Argument("p_device", device.client.text)]
            + device.noted.map { Argument("p_" + $0.0, $0.1.inPostgres) }
            + [Argument("p_results_before", Int64(changes.resultsBefore))] + resultArguments
    }

    private var resultArguments: [Argument] {
        guard !changes.results.isEmpty else { return [] }
        let results = changes.results.sorted { $0.key < $1.key }
        return [
            Argument("p_result_counters", results.map { Int64($0.key) }),
            Argument("p_result_kinds", results.map(\.value.kind.rawValue)),
            Argument("p_result_revisions", results.map { Int64($0.value.revision) }),
            Argument("p_result_refusals", results.map(\.value.refusal)),
            Argument("p_result_hashes", results.map { Self.hexadecimal($0.value.hash) }),
        ]
    }

    private var recordArguments: [Argument] {
        let rows = changes.records
        return [
            Argument("p_record_collections", rows.map(\.record.key.collection)),
            Argument("p_record_ids", rows.map(\.record.key.id)),
            Argument("p_record_positions", rows.map { Int64($0.position) }),
            Argument("p_record_batches", rows.map { Int64($0.batch) }),
            Argument("p_record_deletions", rows.map(\.deletedAt)),
            Argument("p_record_jsons", rows.map(\.json)),
        ]
    }

    private var markArguments: [Argument] {
        guard let mark = changes.mark else { return [] }
        return [
            Argument("p_mark_position", Int64(mark.position)),
            Argument("p_mark_text", mark.mark),
            Argument("p_marks_max", Int32(changes.marksMax)),
        ]
    }

    private static func hexadecimal(_ bytes: Data) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
