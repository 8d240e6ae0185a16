import ArgumentParser
import ContentModel
import Foundation
import Operations

extension DatabaseCommand {
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Look for faults of the database, and say what to do.",
            discussion: """
                Reads everything and changes nothing, also while servers run. For PostgreSQL it takes the \
                address that servers have, and judges that login too. The exit code is 0 without any fault, and \
                1 with one. No user's data is printed: accounts and devices are named by their numbers.
                """)
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
