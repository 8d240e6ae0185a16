import ContentModel
import ContentServer
import Foundation
import Ledger
import LiveEvents
import ServerApplication
import ServiceAPI
import Synchronization
import TestSupport
import Testing
import UserData

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The numbers of a running server, read as Prometheus reads them.
@Suite struct MetricsTests {
    /// A reading: the values by name and labels, and the names that have words and a type.
    private struct Reading {
        var values: [String: Double] = [:]
        var types: [String: String] = [:]
        var helped: Set<String> = []

        /// Reads the text format 0.0.4; a line that is not of its grammar is an issue.
        init(_ text: String) {
            #expect(text.hasSuffix("\n"))
            for line in text.split(separator: "\n") {
                if let match = line.wholeMatch(of: /# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) .+/) {
                    helped.insert(String(match.1))
                } else if let match = line.wholeMatch(
                    of: /# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)/)
                {
                    types[String(match.1)] = String(match.2)
                } else if let match = line.wholeMatch(
                    of:
                        /([a-zA-Z_:][a-zA-Z0-9_:]*(?:\{[a-z_]+="(?:[^"\\]|\\.)*"(?:,[a-z_]+="(?:[^"\\]|\\.)*")*\})?) ([-+0-9.eInfaN]+)/
                ), let value = Double(match.2.replacing("+Inf", with: "inf")) {
                    #expect(values[String(match.1)] == nil, "twice: \(line)")
                    values[String(match.1)] = value
                } else {
                    Issue.record("not a line of the format: \(line)")
                }
            }
        }
    }

    private func body(_ url: String, _ method: String = "GET", _ json: String? = nil) async throws
        -> (
            status: Int, text: String
        )
    {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        request.httpBody = json.map { Data($0.utf8) }
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let (data, response) = try await URLSession.shared.data(for: request)
        return (
            (response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self)
        )
    }

    /// Runs a server with numbers, and gives its address and theirs.
    private func withNumbers(
        users: UserBackend? = nil, release: String,
        _ body: @escaping @Sendable (_ server: String, _ numbers: String) async throws -> Void
    ) async throws {
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        try await withServer(release, users: users) { options in
            options.metrics = ServerMetrics()
            options.metricsAddress = MetricsAddress(port: 0) { continuation.yield($0) }
        } _: { url in
            let port = try #require(await ports.first { _ in true })
            let end = url.range(of: "/api")?.lowerBound ?? url.endIndex
            try await body(String(url[..<end]), "http://127.0.0.1:\(port)/metrics")
        }
    }

    @Test func requestsAreCountedByRouteAndNoMore() async throws {
        let fleet = try Fleet()
        try await withNumbers(release: fleet.release) { server, numbers in
            for _ in 0..<3 { _ = try await body(server + "/api/content/v2/manifest.json") }
            for path in ["/nothing", "/nothing/else?x=1", "/health/live"] {
                _ = try await body(server + path)
            }
            _ = try await body(server + "/nothing", "BREW")
            let reply = try await body(numbers)
            let reading = Reading(reply.text)
            let values = reading.values

            let manifests = values.filter {
                $0.key.hasPrefix("underway_http_requests_total") && $0.key.contains("content/v2")
            }
            #expect(manifests.values.reduce(0, +) == 3)
            #expect(
                values[
                    "underway_http_requests_total{method=\"GET\",route=\"other\",status=\"404\"}"]
                    == 2)
            #expect(
                values[
                    "underway_http_requests_total{method=\"GET\",route=\"/health/live\",status=\"200\"}"
                ] == 1)
            #expect(!reply.text.contains("nothing") && !reply.text.contains("BREW"))
            #expect(values["underway_release"] == 1 && values["underway_ready"] == 1)
            #expect(values["underway_http_requests_active"] == 0)
            #expect(values["underway_connections"] != nil)
            #expect(try #require(values["process_resident_memory_bytes"]) > 1_000_000)
            #expect(
                values["underway_http_request_seconds_count{route=\"/health/live\"}"] == 1)
            #expect(Set(reading.types.keys) == reading.helped)
            #expect(reading.helped.isSubset(of: Set(ServerMetrics.help.keys)))
            // The numbers stand at their own address only, and nothing else does there.
            #expect(try await body(server + "/metrics").status == 404)
            #expect(
                try await body(numbers.replacing("/metrics", with: "/health/live")).status == 404)
        }
    }

    @Test func aServerThatIsNotReadySaysSo() async throws {
        let folder = try TemporaryFolder()
        try await withNumbers(release: folder.path + "/none") { server, numbers in
            let values = Reading(try await body(numbers).text).values
            #expect(values["underway_ready"] == 0 && values["underway_release"] == nil)
            #expect(try await body(server + "/health/ready").status == 503)
        }
    }

    @Test func refusalsAndExchangesAreCountedWithoutNames() async throws {
        let folder = try TemporaryFolder()
        let users = try await UserBackend(
            UserServiceOptions(
                folder: folder.url.appending(path: "users"), passwordRounds: 1 << 10))
        try await withNumbers(users: users, release: folder.path + "/none") { server, numbers in
            for _ in 0..<2 {
                #expect(
                    try await body(server + UserDataRoutes.exchange, "POST", "{}").status == 401)
            }
            let account = try await body(
                server + UserDataRoutes.accounts + "/anonymous", "POST", "{}")
            let tokens = try AccountBody.Tokens(Array(account.text.utf8))
            let call = ExchangeCall(
                request: ExchangeRequest(
                    number: 1, user: tokens.user, client: ClientID(UUID().uuidString), epoch: nil,
                    cursor: 0, operations: []), answers: [])
            var request = URLRequest(
                url: try #require(URL(string: server + UserDataRoutes.exchange)))
            request.httpMethod = "POST"
            request.httpBody = Data(call.json.canonicalBytes)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.setValue(
                "Bearer " + tokens.accessToken, forHTTPHeaderField: "Authorization")
            let (_, response) = try await URLSession.shared.data(for: request)
            #expect((response as? HTTPURLResponse)?.statusCode == 200)

            let text = try await body(numbers).text
            let reading = Reading(text)
            let values = reading.values
            #expect(Set(reading.types.keys) == reading.helped)
            #expect(values["underway_refusals_total{code=\"unauthorized\"}"] == 2)
            #expect(values["underway_exchanges_total"] == 1)
            #expect(
                !text.contains(tokens.accessToken) && !text.contains(tokens.user))
        }
    }

    @Test func thePageNamesEachNumber() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/operators.md")
        let page = try String(contentsOf: root, encoding: .utf8)
        for name in ServerMetrics.help.keys {
            #expect(page.contains("`\(name)`"), "\(name)")
        }
    }

    @Test(arguments: [
        ("9464", "127.0.0.1", 9464), ("10.0.0.1:80", "10.0.0.1", 80), ("[::1]:0", "::1", 0),
        ("::1:9", "::1", 9), ("host:65535", "host", 65_535),
    ])
    func addressesAreRead(text: String, host: String, port: Int) throws {
        let address = try #require(MetricsAddress(text))
        #expect(address.host == host && address.port == port)
    }

    @Test(arguments: ["", "x", ":80", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "[]:1"])
    func otherTextsAreNoAddress(text: String) {
        #expect(MetricsAddress(text) == nil)
    }
}
