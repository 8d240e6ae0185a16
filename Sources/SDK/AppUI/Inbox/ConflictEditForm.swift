#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
import SwiftUI
import Underway

/// The fields of both versions, edited into one.
struct ConflictEditForm: View {
    private let screen: ConflictScreen
    private let isRefused: Bool
    private let save: @MainActor (ConflictDraft) -> Void
    private let cancel: @MainActor () -> Void
    @Binding private var draft: ConflictDraft
    @Environment(\.studyFormats) private var formats

    init(
        _ screen: ConflictScreen, draft: Binding<ConflictDraft>, isRefused: Bool,
        save: @escaping @MainActor (ConflictDraft) -> Void, cancel: @escaping @MainActor () -> Void
    ) {
        self.screen = screen
        _draft = draft
        self.isRefused = isRefused
        self.save = save
        self.cancel = cancel
    }

    var body: some View {
        let invalid = isRefused ? draft.edit.invalid : []
        VStack(alignment: .leading, spacing: StudyStyle.gapLarge) {
            if isRefused { ProblemLine(formats.words["conflict.notAccepted"]) }
            ForEach(screen.fields) { field in
                ConflictFieldRow(
                    field, names: FieldText(screen, formats), now: screen.now, draft: $draft,
                    isInvalid: invalid.contains(field.name))
            }
            Button(formats.words["conflict.saveEdited"]) { save(draft) }
                .buttonStyle(.studyFilled)
                .keyboardShortcut(.defaultAction)
            Button(formats.words["app.cancel"], action: cancel).buttonStyle(.studyOutlined)
        }
        .studyCard()
    }
}

/// A field of that form.
private struct ConflictFieldRow: View {
    private let field: ConflictScreen.Field
    private let names: FieldText
    private let now: Date
    private let isInvalid: Bool
    @Binding private var draft: ConflictDraft
    @Environment(\.studyFormats) private var formats

    init(
        _ field: ConflictScreen.Field, names: FieldText, now: Date,
        draft: Binding<ConflictDraft>, isInvalid: Bool
    ) {
        self.now = now
        self.field = field
        self.names = names
        _draft = draft
        self.isInvalid = isInvalid
    }

    var body: some View {
        VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
            Text(verbatim: names.name(field)).font(StudyStyle.small)
                .foregroundStyle(StudyColor.soft)
                .accessibilityHidden(field.kind != .subject)
            control
            if let sentence = names.serverHas(field) {
                Text(verbatim: sentence).font(StudyStyle.small).foregroundStyle(StudyColor.soft)
            }
            if isInvalid { ProblemLine(formats.words["conflict.invalidField"]) }
        }
    }

    @ViewBuilder private var control: some View {
        switch field.kind {
        case .subject: Text(verbatim: names.text(field.mine, of: field))
        case .text, .number:
            TextField(names.name(field), text: text, axis: .vertical)
                .frame(minHeight: StudyStyle.targetMin)
        case .examDate: BookingDateFields(date, now: now)
        case .flag, .status, .list:
            Picker(names.name(field), selection: text) {
                ForEach(names.choices(field)) { choice in
                    Text(verbatim: choice.name).tag(choice.value)
                }
            }
            .pickerStyle(.menu)
        }
    }

    private var text: Binding<String> { $draft[textOf: field.name] }

    private var date: Binding<BookingDate> { $draft[dateOf: field.name] }
}

extension ConflictDraft {
    /// The text of a field; empty for none.
    fileprivate subscript(textOf name: String) -> String {
        get { texts[name] ?? "" }
        set { texts[name] = newValue }
    }

    /// The date of a field; empty for none.
    fileprivate subscript(dateOf name: String) -> BookingDate {
        get { dates[name] ?? BookingDate(day: "", time: "") }
        set { dates[name] = newValue }
    }
}
#endif
