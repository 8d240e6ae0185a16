import ContentModel
import Foundation
import Underway

/// Steps of a device that `Benchmarks/userdata.py` times: each prints a line of JSON.
@main
enum UserDataBenchmarks {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4 else {
            print("usage: UserDataBenchmarks STEP SERVER STORE [ROWS|BANK], where STEP is")
            print("  begin, add, push, pull, or, without a server, replay or schedules;")
            print("  or fill ANSWERS, regrade QUESTIONS or recount, before STORE")
            exit(64)
        }
        if ["fill", "regrade", "recount"].contains(arguments[1]) {
            let regrading = try RegradeScope(folder: arguments[3])
            let count = Int(arguments[2]) ?? 0
            switch arguments[1] {
            case "fill": try regrading.fill(answers: count)
            case "regrade": try regrading.run(questions: count)
            default: try regrading.recount()
            }
            return
        }
        if ["replay", "schedules"].contains(arguments[1]), arguments.count > 4 {
            let replay = try Replay(folder: arguments[3], bank: arguments[4])
            return try arguments[1] == "replay" ? replay.run() : replay.runKept()
        }
        let device = try Device(server: arguments[2], folder: arguments[3])
        defer { device.transport.close() }
        switch arguments[1] {
        case "begin":
            let isFirst = arguments.count > 4 && arguments[4] == "new"
            try await device.begin(isFirst: isFirst)
        case "add": try device.add(rows: Int(arguments[4]) ?? 1)
        default: try await device.sync()
        }
    }
}

struct Device {
    let store: UserStore
    let account: Account
    let transport = HTTPTransport()
    let server: URL

    init(server: String, folder: String) throws {
        self.server = try URL(address: server)
        let url = URL(fileURLWithPath: folder)
        store = try UserStore(folder: url)
        account = Account(
            store: store, secrets: try FileSecretStore(folder: url.appending(path: "secrets")),
            transport: transport, serverURL: self.server)
    }

    func begin(isFirst: Bool) async throws {
        if isFirst {
            try await account.upgrade(email: "bench@example.org", password: "correct horse")
        } else {
            try await account.signIn(
                email: "bench@example.org", password: "correct horse", bringing: .everything)
        }
        try await sync()
    }

    /// Answers as a learner gives them: 1,000 questions, a session of 20 each, every 20 seconds.
    func add(rows: Int) throws {
        var random = SeededRandom(seed: 1)
        let start = Date().timeIntervalSince1970 - Double(rows) * 20
        var exposures: [Int: Int] = [:]
        let records = (0..<rows).map { index in
            let question = Int.random(in: 0..<1000, using: &random)
            let isCorrect = Int.random(in: 0..<10, using: &random) < 7
            exposures[question, default: 0] += 1
            return AnswerRecord(
                sessionID: UUID(index / 20), questionID: "swift-\(question)",
                domain: "domain-\(question % 5)",
                contentVersion: String(question &* 0x9E37_79B9, radix: 16),
                response: [["a", "b", "c", "d"][Int.random(in: 0..<4, using: &random)]],
                isCorrect: isCorrect, credit: isCorrect ? 1 : 0,
                timeTaken: Double.random(in: 1...60, using: &random),
                exposuresBefore: exposures[question, default: 1] - 1, mode: .study,
                isRandomlySelected: false,
                date: Date(
                    timeIntervalSince1970: start + Double(index) * 20
                        + Double.random(in: 0...10, using: &random)))
        }
        try store.add(records, to: .exam(region: "int", exam: "swift"), now: Date())
    }

    private func UUID(_ number: Int) -> String {
        "5f1e0c4e-0000-4000-8000-" + String(100_000_000_000 + number)
    }

    func sync() async throws {
        let sync = UserDataSync(
            store: store, account: account, transport: transport, serverURL: self.server)
        let clock = ContinuousClock()
        var report = UserDataReport()
        let time = await clock.measure { report = await sync.sync() }
        if let problem = report.problem {
            FileHandle.standardError.write(Data("sync failed: \(problem)\n".utf8))
            exit(3)
        }
        let seconds = Double(time / .microseconds(1)) / 1e6
        let line =
            "{\"seconds\":\(seconds),\"requests\":\(report.requests),\"sent\":\(report.sentBytes),"
            + "\"pushed\":\(report.pushed),\"pulled\":\(report.pulled)}"
        print(line)
    }
}
