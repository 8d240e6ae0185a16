import Logging

extension UserBackend {
    /// Logs the number of unreadable records that were moved aside.
    package func warnOfDamage() async {
        // A database that does not respond is reported by the readiness probe.
        guard let count = try? await damagedRecordCount(), count > 0 else { return }
        Logger(label: "users").warning(
            "\(count) records could not be read; the table damaged_record has them")
    }
}
