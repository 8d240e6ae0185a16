import Logging
import UserService

extension AccountService {
    /// Logs how many records could not be read and were put aside.
    func warnOfDamage() async {
        // A database that does not answer is told by other means.
        guard let count = try? await damagedRecordCount(), count > 0 else { return }
        Logger(label: "users").warning(
            "\(count) records could not be read; the table damagedRecord has them")
    }
}
