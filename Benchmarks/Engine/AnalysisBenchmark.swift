import Foundation
import QuestionEngine

/// The detector on a million answers, and calibration on a matrix that is read from a file.
enum AnalysisBenchmark {
    private static let items = 5_000
    private static let people = 5_000
    private static let answersPerPerson = 200

    /// Writes the answers to `path`, if one is given, for a baseline to read.
    static func detect(answers path: String?) throws {
        var random = SeededRandom(seed: 42)
        var columns: (person: [Int32], item: [Int32], response: [Int32]) = ([], [], [])
        let hardness = (0..<items).map { _ in random.nextNormal() }
        for who in 0..<people {
            let ability = random.nextNormal()
            let first = Int.random(in: 0..<items, using: &random)
            for offset in 0..<answersPerPerson {
                let item = (first + offset * 23) % items
                let knows = 0.2 + 0.8 / (1 + exp(hardness[item] - ability))
                let isRight = Double.random(in: 0..<1, using: &random) < knows
                columns.person.append(Int32(who))
                columns.item.append(Int32(item))
                columns.response.append(isRight ? 0 : Int32.random(in: 1...3, using: &random))
            }
        }
        if let path { try write(columns, to: path) }
        let list = (0..<items).map {
            // Every twentieth key is wrong.
            ResponseMatrix.Item(
                id: "q\($0)", responses: ["a", "b", "c", "d"], key: $0 % 20 == 0 ? 1 : 0)
        }
        var found = 0
        var top = 0.0
        let seconds = try EngineBenchmarks.seconds {
            let table = try ResponseMatrix(
                items: list, person: columns.person, item: columns.item,
                response: columns.response)
            let findings = WrongKeyDetector().review(of: table).findings
            found = findings.count { $0.proposedKey != nil }
            top = findings.first?.score ?? 0
        }
        try EngineBenchmarks.report([
            "answers": columns.person.count, "items": items, "seconds": seconds, "found": found,
            "top": top,
        ])
    }

    private static func write(
        _ columns: (person: [Int32], item: [Int32], response: [Int32]), to path: String
    ) throws {
        var data = Data()
        for column in [columns.person, columns.item, columns.response] {
            column.withUnsafeBytes { data.append(contentsOf: $0) }
        }
        try data.write(to: URL(fileURLWithPath: path))
    }

    /// A row of 0, 1 and `-` (no answer) a person.
    static func calibrateSparse(rows path: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let signs: [Character: Bool] = ["0": false, "1": true]
        let scores = try SparseScoreMatrix(
            rows: text.split(separator: "\n").map { row in row.map { signs[$0] } })
        var found: MarginalCalibration?
        let seconds = try EngineBenchmarks.seconds { found = try MarginalCalibration(scores) }
        try EngineBenchmarks.report([
            "seconds": seconds, "slopes": found?.items.map(\.parameters.slope) ?? [],
            "difficulties": found?.items.map(\.parameters.difficulty) ?? [],
        ])
    }

    /// A row of 0 and 1 a person.
    static func calibrate(rows path: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let matrix = try ScoreMatrix(
            rows: text.split(separator: "\n").map { $0.utf8.map { $0 == UInt8(ascii: "1") } })
        var found: MarginalCalibration?
        let seconds = try EngineBenchmarks.seconds { found = try MarginalCalibration(matrix) }
        var rasch: RaschCalibration?
        let raschSeconds = try EngineBenchmarks.seconds { rasch = try RaschCalibration(matrix) }
        try EngineBenchmarks.report([
            "seconds": seconds, "rounds": found?.roundCount ?? 0,
            "logLikelihood": found?.logLikelihood ?? 0,
            "slopes": found?.items.map(\.parameters.slope) ?? [],
            "difficulties": found?.items.map(\.parameters.difficulty) ?? [],
            "raschSeconds": raschSeconds, "raschLogLikelihood": rasch?.logLikelihood ?? 0,
        ])
    }
}
