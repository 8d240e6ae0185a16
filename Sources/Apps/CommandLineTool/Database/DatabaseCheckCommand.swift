import ArgumentParser
import ContentModel
import Foundation
import Operations

extension DatabaseCommand {
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Find faults of the database, and show what to do about them.",
            discussion: """
                The command changes nothing, and servers may run at the same time. For PostgreSQL, give the address \
                that the servers use, because the command checks their login too. The exit code is 1 if there is a \
                fault. The output has no users' data; it names accounts and devices by their numbers.
                """,
            examples: ["underway db check --data users"])
        @OptionGroup var storage: StorageOptions
        @OptionGroup var outputOptions: OutputOptions

        func run() async throws {
            let report = try await reportingErrors {
                switch try storage.place() {
                case .file(let path): try SQLiteCheck(path: path).run()
                case .address(let address):
                    try await CommandFailure.naming(address) {
                        try await PostgresCheck(address).run()
                    }
                }
            }
            Console.say(text(report), json: json(report))
            guard report.findingCount > 0 else { return }
            throw CommandFailure.reported(
                .contentErrors, "The database has \(Console.count(report.findingCount, "fault")).")
        }

        private func text(_ report: DatabaseCheckReport) -> String {
            let read =
                "\(Console.count(report.accountCount, "account")),"
                + " \(Console.count(report.recordCount, "record")) and"
                + " \(Console.count(report.answerCount, "answer")) were read."
            guard report.findingCount > 0 else { return "No fault was found. \(read)" }
            let findings = report.findings.map { finding in
                "\(Console.styled(finding.place, .bold)): \(finding.problem)\n  \(finding.remedy)"
            }
            let more = report.findingCount - report.findings.count
            return
                (findings + (more > 0 ? ["\(more) more are not listed."] : [])
                + ["\(Console.count(report.findingCount, "fault")). \(read)"])
                .joined(separator: "\n")
        }

        private func json(_ report: DatabaseCheckReport) -> JSONValue {
            [
                "findings": .array(
                    report.findings.map { finding in
                        [
                            "kind": .string(finding.kind.rawValue), "place": .string(finding.place),
                            "problem": .string(finding.problem), "remedy": .string(finding.remedy),
                        ]
                    }),
                "findingCount": .integer(report.findingCount),
                "accounts": .integer(report.accountCount), "records": .integer(report.recordCount),
                "answers": .integer(report.answerCount),
            ]
        }
    }
}
