import Foundation
package import Telemetry

/// The metrics of the process, with the names of Prometheus' client libraries.
package enum ProcessNumbers {
    private static let start = Date()

    /// Notes the start of the process, if nobody did.
    static func begin() { _ = start }

    /// Returns the current metrics; without memory and files on systems other than Linux.
    package static func samples() -> [MetricSample] {
        var samples = [
            MetricSample("process_start_time_seconds", start.timeIntervalSince1970.rounded()),
            MetricSample("process_cpu_seconds_total", cpuSeconds, kind: .counter),
        ]
        if let pages = residentPages {
            samples.append(.init("process_resident_memory_bytes", Double(pages * pageBytes)))
        }
        if let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            // One of them is the folder itself.
            samples.append(.init("process_open_fds", Double(files.count - 1)))
        }
        return samples
    }

    private static var cpuSeconds: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

    private static var pageBytes: Int { Int(sysconf(Int32(_SC_PAGESIZE))) }

    private static var residentPages: Int? {
        // Sizes in pages: program, resident, shared … (proc(5), statm).
        let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return text?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }
}
