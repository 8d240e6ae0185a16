import ArgumentParser
import Publishing

/// The exam of a board or an event.
struct BankOptions: ParsableArguments {
    @Option(help: "The exam: a language (es), or a region and an exam (de/driving).")
    var bank: String
    @Option(
        help: "The release directory that must have the exam (default: release, if it is there).",
        transform: PathArgument.path)
    var release: String?

    /// Returns the exam.
    ///
    /// - Throws: `CommandFailure` when the release has no such exam.
    func released() async throws -> String {
        let folder = release ?? "release"
        let banks = try await reportingErrors { try ReleasedBanks(folder).checksums }
        guard banks[bank] == nil, release != nil || !banks.isEmpty else { return bank }
        throw CommandFailure(
            .notFound,
            banks.isEmpty
                ? "There is no release with exams in \(folder). Run `underway publish` to make one."
                : "The release in \(folder) has no exam \(bank). It has: \(Self.list(banks.keys.sorted())).",
            place: folder)
    }

    /// Returns the first names, and how many more there are.
    static func list(_ banks: [String]) -> String {
        let shown = banks.prefix(20).joined(separator: ", ")
        return shown + (banks.count > 20 ? " and \(banks.count - 20) more" : "")
    }
}
