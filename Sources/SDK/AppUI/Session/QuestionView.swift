#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
import SwiftUI
import Underway

#if os(iOS) || os(visionOS)
import UIKit
#endif

/// A question with its options; rows do not move when the answer is checked.
struct QuestionView: View {
    private let screen: SessionScreen
    private let pictures: [String: LoadedPicture]
    private let clip: ClipRow?
    private let report: ReportButton
    private let askAgain: @MainActor () -> Void
    @Binding private var draft: ResponseDraft
    @Environment(\.studyFormats) private var formats

    init(
        _ screen: SessionScreen, pictures: [String: LoadedPicture],
        clip: ClipRow?, draft: Binding<ResponseDraft>, report: ReportButton,
        askAgain: @escaping @MainActor () -> Void
    ) {
        self.screen = screen
        self.pictures = pictures
        self.clip = clip
        self.report = report
        self.askAgain = askAgain
        _draft = draft
    }

    var body: some View {
        page.environment(\.contentLanguage, screen.subject.contentLanguage)
    }

    @ViewBuilder private var page: some View {
        if screen.question.type == .ordering {
            // A list, since its rows can be dragged.
            List {
                head.listRowSeparator(.hidden).listRowBackground(Color.clear)
                OrderingRows(screen, draft: $draft)
                rightOrder
                why.listRowSeparator(.hidden).listRowBackground(Color.clear)
                aside.listRowSeparator(.hidden).listRowBackground(Color.clear)
                report.listRowSeparator(.hidden).listRowBackground(Color.clear)
            }
            .listStyle(.plain)
            .scrollContentBackground(.hidden)
        } else {
            ScrollView {
                VStack(alignment: .leading, spacing: StudyStyle.gapLarge) {
                    head
                    if screen.question.type == .numericEntry { number } else { options }
                    why
                    aside
                    report
                }
                .padding(StudyStyle.gapLarge)
                .frame(maxWidth: StudyStyle.sessionWidth, alignment: .leading)
                .frame(maxWidth: .infinity)
            }
        }
    }

    private var head: some View {
        VStack(alignment: .leading, spacing: StudyStyle.gap) {
            Text(verbatim: screen.crumbs).font(StudyStyle.small).foregroundStyle(StudyColor.soft)
            RichTextView(screen.question.richStem).questionFont()
                .accessibilityAddTraits(.isHeader)
            if let code = screen.question.code {
                QuestionCode(code.text, name: formats.words["session.code"])
            }
            if let name = screen.question.image {
                QuestionPicture(pictures[name], size: screen.pictureSizes[name])
            }
            clip
        }
        .frame(maxWidth: .infinity, alignment: .leading)
    }

    private var options: some View {
        VStack(spacing: StudyStyle.gap) {
            ForEach(Array(rows.enumerated()), id: \.element.id) { row in
                OptionRow(
                    screen.question.richText(row.element.option.text), mark: mark,
                    standing: standing(row.element), key: row.offset + 1,
                    picture: picture(of: row.element.option)
                ) {
                    draft.choose(row.element.id)
                }
            }
        }
        .accessibilityElement(children: .contain)
        .accessibilityLabel(formats.words["session.options"])
    }

    private func picture(of option: QuestionOption) -> QuestionPicture? {
        option.image.map {
            QuestionPicture(
                pictures[$0], size: screen.pictureSizes[$0], in: QuestionPicture.option,
                canEnlarge: false)
        }
    }

    /// The right order, beside a wrong one.
    @ViewBuilder private var rightOrder: some View {
        if let rows = OrderRowText.right(screen, formats) {
            Text(verbatim: formats.words["session.rightOrder"]).font(StudyStyle.cardHeading)
                .accessibilityAddTraits(.isHeader)
            ForEach(rows) { row in
                HStack(spacing: StudyStyle.gap) {
                    Text(verbatim: formats.number(row.index + 1))
                        .foregroundStyle(StudyColor.soft)
                    RichTextView(row.option.text, of: screen.question)
                        .frame(maxWidth: .infinity, alignment: .leading)
                }
            }
        }
    }

    @ViewBuilder private var number: some View {
        let verdict = NumberVerdictText(screen, formats)
        numberField(verdict)
        if let right = verdict?.right { Text(verbatim: right).font(StudyStyle.answer) }
    }

    private func numberField(_ verdict: NumberVerdictText?) -> some View {
        AdaptiveRow {
            TextField(formats.words["session.numberLabel"], text: $draft.number)
                .font(StudyStyle.answer)
                .frame(minHeight: StudyStyle.targetMin)
                .disabled(screen.verdict != nil)
                #if os(iOS) || os(visionOS)
            .keyboardType(.numbersAndPunctuation)
                #endif
            if let unit = screen.unit { Text(verbatim: unit).foregroundStyle(StudyColor.soft) }
            if let verdict {
                Label(verdict.mark, systemImage: verdict.isRight ? "checkmark" : "xmark")
                    .foregroundStyle(verdict.isRight ? StudyColor.right : .wrong)
            }
        }
        .studyCard()
    }

    @ViewBuilder private var why: some View {
        if let verdict = screen.verdict {
            WhyText(verdict.response, screen.question, title: formats.words["session.why"])
        }
    }

    @ViewBuilder private var aside: some View {
        if let record = screen.verdict?.setAside {
            Text(verbatim: record.sentence(formats.words))
            Button(formats.words["aside.ask"], action: askAgain).buttonStyle(.studyOutlined)
        }
    }

    private var mark: OptionRow.Mark {
        screen.question.type == .multiChoice ? .several : .one
    }

    private var rows: [OptionText] {
        OptionText.rows(screen, chosen: draft.optionIDs, formats.words)
    }

    private func standing(_ row: OptionText) -> OptionRow.Standing {
        switch row.standing {
        case .open: row.isChosen ? .chosen : .open
        case .right: .right(row.mark ?? "")
        case .wrong: .wrong(row.mark ?? "")
        case .faded: .faded
        }
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
        ForEach(OrderRowText.rows(screen, order: draft.optionIDs, formats)) { row($0) }
            .onMove(perform: move)
    }

    private func row(_ row: OrderRowText) -> some View {
        AdaptiveRow {
            Text(verbatim: formats.number(row.index + 1)).foregroundStyle(StudyColor.soft)
            RichTextView(row.option.text, of: screen.question).frame(
                maxWidth: .infinity, alignment: .leading)
            if let isRight = row.isRight {
                Label(row.mark, systemImage: isRight ? "checkmark" : "xmark")
                    .foregroundStyle(isRight ? StudyColor.right : .wrong)
            } else {
                arrow(row.upName, "arrow.up") { draft.move(row.id, by: -1) }
                    .disabled(row.index == 0)
                arrow(row.downName, "arrow.down") { draft.move(row.id, by: 1) }
                    .disabled(row.index == draft.optionIDs.count - 1)
            }
        }
        .frame(minHeight: StudyStyle.optionHeight)
        .accessibilityElement(children: .contain)
        .accessibilityLabel(row.moved)
    }

    private func arrow(
        _ title: String, _ symbol: String, _ action: @escaping @MainActor () -> Void
    ) -> some View {
        Button(title, systemImage: symbol, action: action)
            .labelStyle(.iconOnly)
            .buttonStyle(.borderless)
            .frame(minWidth: StudyStyle.targetMin, minHeight: StudyStyle.targetMin)
    }

    private var move: ((IndexSet, Int) -> Void)? {
        guard screen.verdict == nil else { return nil }
        return { draft.move($0, to: $1) }
    }
}
#endif
