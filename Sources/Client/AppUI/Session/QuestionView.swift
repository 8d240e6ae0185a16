#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
import SwiftUI
import Underway

#if os(iOS) || os(visionOS)
import UIKit
#endif

/// A question with its options; rows stay where they are when the answer is checked.
struct QuestionView: View {
    private let screen: SessionScreen
    private let picture: @MainActor (String) -> Image?
    @Binding private var draft: ResponseDraft
    @Environment(\.studyFormats) private var formats

    init(
        _ screen: SessionScreen, picture: @escaping @MainActor (String) -> Image?,
        draft: Binding<ResponseDraft>
    ) {
        self.screen = screen
        self.picture = picture
        _draft = draft
    }

    var body: some View {
        if screen.question.type == .ordering {
            // A list, since its rows can be dragged.
            List {
                head.listRowSeparator(.hidden).listRowBackground(Color.clear)
                OrderingRows(screen, draft: $draft)
                why.listRowSeparator(.hidden).listRowBackground(Color.clear)
            }
            .listStyle(.plain)
            .scrollContentBackground(.hidden)
        } else {
            ScrollView {
                VStack(alignment: .leading, spacing: StudyStyle.gapLarge) {
                    head
                    if screen.question.type == .numericEntry { number } else { options }
                    why
                }
                .padding(StudyStyle.gapLarge)
                .frame(maxWidth: StudyStyle.sessionWidth, alignment: .leading)
                .frame(maxWidth: .infinity)
            }
        }
    }

    private var head: some View {
        VStack(alignment: .leading, spacing: StudyStyle.gap) {
            Text(verbatim: crumbs).font(StudyStyle.small).foregroundStyle(StudyColor.soft)
            QuestionText(screen.question.stem).font(StudyStyle.question)
                .accessibilityAddTraits(.isHeader)
            if let code = screen.question.code {
                QuestionCode(code.text, name: formats.words["session.code"])
            }
            if let name = screen.question.image, let image = picture(name) {
                image.resizable().scaledToFit()
                    .accessibilityLabel(formats.words["session.picture"])
            }
        }
        .frame(maxWidth: .infinity, alignment: .leading)
    }

    private var crumbs: String {
        [screen.subject.title, screen.domain, screen.level].compactMap { $0 }
            .joined(separator: " · ")
    }

    private var options: some View {
        VStack(spacing: StudyStyle.gap) {
            ForEach(Array(screen.options.enumerated()), id: \.element.id) { option in
                OptionRow(
                    option.element.text, mark: mark, standing: standing(option.element.id),
                    key: option.offset + 1
                ) {
                    draft.choose(option.element.id)
                }
            }
        }
        .accessibilityElement(children: .contain)
        .accessibilityLabel(formats.words["session.options"])
    }

    private var number: some View {
        HStack(spacing: StudyStyle.gap) {
            TextField(formats.words["session.numberLabel"], text: $draft.number)
                .font(StudyStyle.answer)
                .frame(minHeight: StudyStyle.targetMin)
                .disabled(screen.verdict != nil)
                #if os(iOS) || os(visionOS)
            .keyboardType(.numbersAndPunctuation)
                #endif
            if let unit = screen.unit { Text(verbatim: unit).foregroundStyle(StudyColor.soft) }
        }
        .studyCard()
    }

    @ViewBuilder private var why: some View {
        if screen.verdict != nil, let explanation = screen.question.explanation {
            VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
                Text(verbatim: formats.words["session.why"]).font(StudyStyle.cardHeading)
                    .accessibilityAddTraits(.isHeader)
                QuestionText(explanation)
            }
        }
    }

    private var mark: OptionRow.Mark {
        screen.question.type == .multiChoice ? .several : .one
    }

    private func standing(_ id: String) -> OptionRow.Standing {
        let isChosen = draft.optionIDs.contains(id)
        guard let verdict = screen.verdict else { return isChosen ? .chosen : .open }
        if verdict.grade.correctOptionIDs.contains(id) {
            return .right(formats.words["session.rightAnswer"])
        }
        return isChosen ? .wrong(formats.words["session.yourAnswer"]) : .faded
    }
}

/// The rows of an ordering, moved by dragging, by arrows and by actions of a screen reader.
struct OrderingRows: View {
    private let screen: SessionScreen
    @Binding private var draft: ResponseDraft
    @Environment(\.studyFormats) private var formats

    init(_ screen: SessionScreen, draft: Binding<ResponseDraft>) {
        self.screen = screen
        _draft = draft
    }

    var body: some View {
        ForEach(Array(draft.optionIDs.enumerated()), id: \.element) { row in
            self.row(row.element, at: row.offset)
        }
        .onMove(perform: move)
    }

    private func row(_ id: String, at place: Int) -> some View {
        let text = screen.options.first { $0.id == id }?.text ?? ""
        return HStack(spacing: StudyStyle.gap) {
            Text(verbatim: formats.number(place + 1)).foregroundStyle(StudyColor.soft)
            Text(verbatim: text).frame(maxWidth: .infinity, alignment: .leading)
            if screen.verdict == nil {
                arrow("session.moveUp", text, "arrow.up") { draft.move(id, by: -1) }
                    .disabled(place == 0)
                arrow("session.moveDown", text, "arrow.down") { draft.move(id, by: 1) }
                    .disabled(place == draft.optionIDs.count - 1)
            } else {
                Image(systemName: isInPlace(id, place) ? "checkmark" : "xmark")
                    .foregroundStyle(isInPlace(id, place) ? StudyColor.right : .wrong)
            }
        }
        .frame(minHeight: StudyStyle.optionHeight)
        .accessibilityElement(children: .contain)
        .accessibilityLabel(moved(text, to: place))
    }

    private func arrow(
        _ key: String, _ text: String, _ symbol: String, _ action: @escaping @MainActor () -> Void
    ) -> some View {
        Button(formats.words.text(key, ["item": text]), systemImage: symbol, action: action)
            .labelStyle(.iconOnly)
            .buttonStyle(.borderless)
            .frame(minWidth: StudyStyle.targetMin, minHeight: StudyStyle.targetMin)
    }

    private func moved(_ text: String, to place: Int) -> String {
        formats.words.text(
            "session.moved",
            [
                "item": text, "number": formats.number(place + 1),
                "total": formats.number(draft.optionIDs.count),
            ])
    }

    private func isInPlace(_ id: String, _ place: Int) -> Bool {
        let right = screen.verdict?.grade.correctOptionIDs ?? []
        return right.indices.contains(place) && right[place] == id
    }

    private var move: ((IndexSet, Int) -> Void)? {
        guard screen.verdict == nil else { return nil }
        return { draft.move($0, to: $1) }
    }
}
#endif
