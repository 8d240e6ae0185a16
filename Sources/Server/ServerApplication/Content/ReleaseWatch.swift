import ServiceLifecycle

/// The loop of a service that follows a release directory.
enum ReleaseWatch {
    /// Calls a step each second, with the schedule of its fills, until the shutdown.
    static func run(_ step: @escaping @Sendable (inout FillSchedule) async -> Void) async {
        // Cancelled at shutdown; what a step has not written, the next start writes.
        try? await cancelWhenGracefulShutdown {
            var schedule = FillSchedule()
            while !Task.isCancelled {
                await step(&schedule)
                try await Task.sleep(for: .seconds(1))
            }
        }
    }
}
