import ContentModel

/// The state of the tables, as a plan needs it.
struct FilledState: Sendable {
    /// An exam that the tables have.
    struct Exam: Hashable, Sendable {
        /// The checksum of its bank.
        var checksum: String
        /// The time of its last change.
        var updatedAt: Moment
    }

    /// The last revision.
    var revision: Int64
    /// The release that the tables show.
    var release: Int
    /// The checksum of that release's manifest; empty before the first.
    var manifest: String
    /// The exams.
    var exams: [ExamKey: Exam] = [:]
    /// The time of the last change of each exam that was removed.
    var removed: [ExamKey: Moment] = [:]
}

/// The decision what a release changes in the tables.
struct FillPlan: Equatable, Sendable {
    /// An exam to write.
    struct Change: Hashable, Sendable {
        var exam: ExamKey
        /// The bank, with the questions to compare; `nil` when only the time of change is newer.
        var bank: ContentReference?
        /// The time of this change: never before the exam's last one.
        var updatedAt: Moment
    }

    /// The exams that are new or changed, in the order of their names.
    var changes: [Change] = []
    /// The exams that the release no longer has, in the order of their names.
    var removed: [Change] = []

    /// Finds the changes from the tables to a release; `nil` when the tables show that release or a
    /// later one.
    ///
    /// An exam's times never go back, so that `content_updated_at` and revision order its changes
    /// alike: after a rollback, whose times are older, the last time is given again.
    ///
    /// - Parameters:
    ///   - manifest: The release.
    ///   - checksum: The checksum of its manifest.
    ///   - state: The tables.
    ///   - now: The time of a change whose author stated none.
    init?(to manifest: Manifest, _ checksum: Checksum, from state: FilledState, now: Moment) {
        guard manifest.release >= state.release, checksum.description != state.manifest else {
            return nil
        }
        for (name, entry) in manifest.exams.sorted(by: { $0.key < $1.key }) {
            guard let exam = ExamKey(name), let bank = entry.blueprint else { continue }
            let stated = entry.contentUpdatedAt.flatMap { Moment(rfc3339: $0) }
            guard let present = state.exams[exam] else {
                let last = state.removed[exam] ?? stated ?? now
                changes.append(Change(exam: exam, bank: bank, updatedAt: max(last, stated ?? now)))
                continue
            }
            if present.checksum != bank.checksum.description {
                let updatedAt = max(present.updatedAt, stated ?? now)
                changes.append(Change(exam: exam, bank: bank, updatedAt: updatedAt))
            } else if let stated, stated > present.updatedAt {
                changes.append(Change(exam: exam, bank: nil, updatedAt: stated))
            }
        }
        for (exam, present) in state.exams.sorted(by: { $0.key < $1.key })
        where manifest.exams[exam.description]?.blueprint == nil {
            removed.append(
                Change(exam: exam, bank: nil, updatedAt: max(present.updatedAt, now)))
        }
    }

    /// True when some row of an exam changes, so that there must be a new revision.
    var hasRevision: Bool { !removed.isEmpty || changes.contains { $0.bank != nil } }
}
