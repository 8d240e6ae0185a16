import ArgumentParser
import Foundation
import Telemetry
import WebTransfer

/// The collector of traces, and how many requests it gets.
struct TraceOptions: ParsableArguments {
    @Option(
        help: """
            Send traces to the collector of OpenTelemetry at this address, for example http://127.0.0.1:4318 (OTLP over HTTP, \
            JSON).
            """)
    var traces: String?

    @Option(help: "The share of requests that are traced, from 0 to 1 (default: 0.05).")
    var traceShare: Double?

    /// Checks both.
    ///
    /// - Throws: `ValidationError`.
    func check() throws {
        guard traceShare.map({ (0...1).contains($0) }) ?? true else {
            throw ValidationError("--trace-share takes a number from 0 to 1.")
        }
        guard let traces else {
            guard traceShare == nil else {
                throw ValidationError("--trace-share is about --traces: name a collector.")
            }
            return
        }
        guard let url = URL(string: traces), ["http", "https"].contains(url.scheme?.lowercased()),
            url.host()?.isEmpty == false, url.user == nil, url.query == nil, url.fragment == nil
        else {
            throw ValidationError(
                "--traces takes the address of a collector, as http://127.0.0.1:4318, without a password in it."
            )
        }
    }

    /// Returns an exporter to the collector; `nil` without one.
    func exporter() -> TraceExporter? {
        guard let traces else { return nil }
        let collector = TraceCollector(address: traces)
        let resource = TraceResource(
            name: "underway", version: Tool.version,
            instance:
                "\(ProcessInfo.processInfo.hostName):\(ProcessInfo.processInfo.processIdentifier)")
        return TraceExporter(resource: resource) { await collector.send($0) }
    }

    /// The rule by which requests are traced: strangers do not decide it.
    var sampling: TraceSampling { TraceSampling(share: traceShare ?? 0.05, followsParent: false) }
}

/// A collector of traces, asked by HTTP.
private final class TraceCollector: Sendable {
    private static let timeout: TimeInterval = 10
    private static let replyBytesMax = 64 << 10
    private let address: String
    private let session: TransferSession

    init(address: String) {
        self.address = address.hasSuffix("/") ? String(address.dropLast()) : address
        // Spans have no user data, and the operator chose the address.
        session = TransferSession(
            userAgent: "underway", idleTimeout: Self.timeout, allowsInsecureHTTP: true)
    }

    func send(_ body: [UInt8]) async -> TraceReply {
        do {
            let response = try await session.send(
                TransferRequest(
                    "POST", url: address + TraceExporter.path,
                    headers: ["Content-Type": TraceExporter.contentType], body: body,
                    bodyBytesMax: Self.replyBytesMax))
            _ = try await response.body.collect()
            let wait = RetryAfter.wait(in: response.head.headers, now: Date())
            return .status(
                response.head.status, retryAfterSeconds: wait.map { Int($0.components.seconds) })
        } catch {
            // The exporter tries again; `underway_trace_spans` shows what waits and what is lost.
            return .noReply
        }
    }
}
