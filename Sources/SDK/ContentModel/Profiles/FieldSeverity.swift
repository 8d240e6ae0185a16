/// The effect on learners when an older version of the app ignores a field.
package enum FieldSeverity: Hashable, Sendable {
    /// The app shows, asks or states something wrong, or grades differently.
    case misleads(Effect)
    /// The app lacks something useful, but works.
    case degrades
    /// The app has nothing of a part of the release, as before the part existed.
    case unseen

    /// The behaviour of such an app.
    package enum Effect: String, Hashable, Sendable {
        case grading = "which then grades otherwise"
        case levels = "which then names levels otherwise"
        case asking = "which then still asks it"
        case picture = "which then asks without it"
        case order = "which then shows options in another order"
        case audience = "which then shows it at other times, or to others"
        case marks = "which then shows the source of a formula, table, picture or code"
    }
}

extension DocumentShape {
    /// Returns the effect when a reader ignores a field.
    ///
    /// A field without which its object is omitted is never ignored. The switch over shapes has no `default`, so that
    /// each new shape is judged when it is added.
    package func severity(of field: String) -> FieldSeverity {
        switch self {
        case .manifest: Self.parts.contains(field) ? .unseen : .degrades
        case .manifestLanguage: .unseen
        case .manifestExam: field == "contentUpdatedAt" ? .degrades : .unseen
        case .scoring, .cut: .misleads(.grading)
        case .number: field == "unit" ? .degrades : .misleads(.grading)
        case .blueprint:
            Self.blueprintEffects[field].map { .misleads($0) } ?? .degrades
        case .question: Self.questionEffects[field].map { .misleads($0) } ?? .degrades
        case .option: Self.optionEffects[field].map { .misleads($0) } ?? .degrades
        case .announcement: Self.audience.contains(field) ? .misleads(.audience) : .degrades
        case .reference, .fileList, .file, .asset, .rollout, .rolloutPrevious, .domain, .code,
            .audio,
            .correction, .announcementList, .announcementText:
            .degrades
        }
    }

    private static let parts: Set<String> = ["languages", "exams", "assets", "announcements"]
    private static let blueprintEffects: [String: FieldSeverity.Effect] = [
        "scoring": .grading, "levels": .levels,
    ]
    private static let questionEffects: [String: FieldSeverity.Effect] = [
        "correct": .grading, "number": .grading, "retired": .asking, "image": .picture,
        "audio": .picture, "code": .picture, "shuffle": .order, "text": .marks,
    ]
    private static let optionEffects: [String: FieldSeverity.Effect] = [
        "image": .picture, "pinned": .order,
    ]
    private static let audience: Set<String> = [
        "start", "end", "minimumAppVersion", "maximumAppVersion", "languages",
    ]
}
