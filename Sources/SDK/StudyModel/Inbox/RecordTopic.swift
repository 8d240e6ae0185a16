import Underway

/// The topic of a record, for a sentence about a change of it.
public enum RecordTopic: Sendable, Hashable {
    /// The date of an exam, by the exam's title.
    case examDate(exam: String)
    /// A saved question, by its text.
    case favourite(question: String)
    /// A report about a question, by its text.
    case report(question: String)
    /// The consent to the use of first answers.
    case consent
    /// A record of another collection.
    case other(collection: String, id: String)
}

/// Finds the titles of what records name; each bank is read once.
actor TopicLoader {
    private let content: OfflineStore
    private var blueprints: [String: Blueprint?] = [:]

    init(_ content: OfflineStore) { self.content = content }

    /// Returns the topic of a record with some values.
    func topic(of key: RecordKey, _ values: [String: FieldValue]) async -> RecordTopic {
        switch key.collection {
        case Reservation.collection.name:
            let exam = Self.text(values["exam"]) ?? key.id
            return .examDate(exam: await title(of: exam))
        case Favourite.collection.name:
            let question = await blueprint(Self.text(values["bank"]) ?? "")?.questions
                .first { $0.id == key.id }
            return .favourite(question: question?.richStem.plainText ?? key.id)
        case QuestionReport.collection.name:
            // A deletion has no fields; the record's id names bank and question.
            let parts = key.id.split(separator: ":", maxSplits: 1).map(String.init)
            let question = await blueprint(parts.first ?? "")?.questions
                .first { $0.id == parts.last }
            return .report(question: question?.richStem.plainText ?? parts.last ?? key.id)
        case ConsentRecord.collection.name: return .consent
        default: return .other(collection: key.collection, id: key.id)
        }
    }

    /// Returns the title of a bank; its name where the content does not have it.
    func title(of name: String) async -> String {
        await subject(of: name)?.title ?? name
    }

    /// Returns the subject of a bank; `nil` where the content does not have it.
    func subject(of name: String) async -> Subject? {
        guard let bank = QuestionFilter.Bank(name: name), let blueprint = await blueprint(name)
        else { return nil }
        return Subject(blueprint, of: bank)
    }

    private func blueprint(_ name: String) async -> Blueprint? {
        if let known = blueprints[name] { return known }
        guard let bank = QuestionFilter.Bank(name: name) else { return nil }
        // A bank that cannot be read leaves its name to be shown.
        let blueprint = try? await content.perform { try $0.blueprint(bank).value }
        blueprints[name] = .some(blueprint)
        return blueprint
    }

    private static func text(_ value: FieldValue?) -> String? {
        guard case .text(let text)? = value else { return nil }
        return text
    }
}

extension ChangeOperation {
    /// The fields as the change leaves them; `nil` for a deletion, and for a step of a counter.
    var values: [String: FieldValue]? {
        switch change {
        case .put(let values): values
        case .restore(let record): record.isDeleted ? nil : record.values
        case .delete, .count: nil
        }
    }
}
