import ServiceAPI

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The process's limit on open files.
package enum OpenFiles {
    /// The files that are reserved for databases, releases and logs.
    private static let reserve = 128

    /// Raises the process's soft limit on open files to the hard one, and returns the resulting maximum number of
    /// connections.
    ///
    /// Without free descriptors, a server can neither accept a connection nor open a database.
    ///
    /// - Returns: The maximum number, at most `ServiceLimits.connectionsMax`.
    package static func connectionsMax() -> Int {
        var limit = rlimit()
        #if canImport(Glibc)
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let files = RLIMIT_NOFILE
        #endif
        guard getrlimit(files, &limit) == 0 else { return ServiceLimits.connectionsMax }
        let wanted = rlim_t(ServiceLimits.connectionsMax + reserve)
        if limit.rlim_cur < wanted {
            var raised = limit
            raised.rlim_cur = min(wanted, limit.rlim_max)
            if setrlimit(files, &raised) == 0 { limit = raised }
        }
        let room = Int(min(limit.rlim_cur, wanted)) - reserve
        return max(16, min(ServiceLimits.connectionsMax, room))
    }
}
