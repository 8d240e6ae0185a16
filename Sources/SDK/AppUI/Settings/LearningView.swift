#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

#if !os(macOS)
import UIKit
#endif

/// The screen of the learner's settings of scheduling: limits, days, aim of recall, and the fit of intervals.
public struct LearningView: View {
    /// A step that a control asked for.
    private enum Step: Equatable {
        case save, reset, optimise
    }

    private let model: LearningModel
    @State private var form: LearningForm?
    @State private var wrong: Set<LearningFields.Field> = []
    /// What the aim of recall costs; the next press saves it.
    @State private var price: RetentionPrice?
    @State private var sentence: String?
    @State private var step: Step?
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a model.
    ///
    /// - Parameter model: The settings of all subjects or of one.
    public init(_ model: LearningModel) { self.model = model }

    /// The screen.
    public var body: some View {
        Form {
            if let problem = model.problem { ProblemCard(problem) }
            if let screen = model.screen {
                let form = form ?? LearningForm(screen.settings)
                Section {
                    Text(
                        verbatim: formats.words[
                            screen.subject == nil ? "learning.forAll" : "learning.ownHint"])
                }
                numbers(form, screen)
                switches(form, screen)
                days(form)
                buttons(screen)
                if screen.subject == nil { memory(screen) }
            } else if model.problem == nil {
                ProgressView(formats.words["app.loading"])
            }
        }
        .formStyle(.grouped)
        .navigationTitle(formats.words["learning.title"])
        .task { await model.load() }
        .performs($step) { await take($0) }
    }

    @ViewBuilder
    private func numbers(_ form: LearningForm, _ screen: LearningScreen) -> some View {
        ForEach(LearningForm.numbers, id: \.self) { field in
            Section {
                TextField(
                    formats.words[field.labelKey], text: $form[or: form].texts[of: field]
                )
                .typesNumbers()
                if wrong.contains(field), let range = field.rangeSentence(formats) {
                    ProblemLine(range)
                }
                if field == .retention, let price { Text(verbatim: price.sentence(formats)) }
            } header: {
                Text(verbatim: formats.words[field.labelKey])
            } footer: {
                if let hint = field.hintKey { Text(verbatim: formats.words[hint]) }
            }
        }
        if screen.subject == nil {
            Section {
                Picker(
                    formats.words["learning.rollover"], selection: $form[or: form].rolloverHour
                ) {
                    ForEach(0..<24, id: \.self) { Text(verbatim: formats.hour($0)).tag($0) }
                }
                .pickerStyle(.menu)
            } footer: {
                Text(verbatim: formats.words["learning.rolloverHint"])
            }
        }
    }

    private func switches(_ form: LearningForm, _ screen: LearningScreen) -> some View {
        Section {
            toggle("learning.repeats", $form[or: form].repeatsToday)
            toggle("learning.backlog", $form[or: form].newDespiteBacklog)
            toggle("learning.spreads", $form[or: form].spreads)
            if screen.subject == nil {
                toggle("learning.optimises", $form[or: form].optimises)
            }
        }
    }

    private func toggle(_ key: String, _ isOn: Binding<Bool>) -> some View {
        Toggle(isOn: isOn) { RowText(formats.words[key], [formats.words[key + "Hint"]]) }
    }

    private func days(_ form: LearningForm) -> some View {
        Section {
            ForEach(0..<7, id: \.self) { day in
                Picker(formats.weekdays[day], selection: $form[or: form].easyDays[day]) {
                    ForEach(EasyDays.choices(formats.words), id: \.weight) {
                        Text(verbatim: $0.name).tag($0.weight)
                    }
                }
                .pickerStyle(.menu)
            }
        } header: {
            Text(verbatim: formats.words["learning.easyDays"])
        } footer: {
            Text(verbatim: formats.words["learning.easyDaysHint"])
        }
    }

    private func buttons(_ screen: LearningScreen) -> some View {
        Section {
            if let sentence { Text(verbatim: sentence) }
            Button(formats.words["app.save"]) { ask(.save) }
                .buttonStyle(.studyFilled)
                .keyboardShortcut(.defaultAction)
            if screen.subject != nil, screen.isChanged {
                Button(formats.words["learning.reset"]) { ask(.reset) }
                    .buttonStyle(.studyOutlined)
            }
        }
        .disabled(step != nil)
    }

    private func memory(_ screen: LearningScreen) -> some View {
        Section(formats.words["learning.memory"]) {
            Text(verbatim: screen.memorySentence(formats.words))
            Button(formats.words["learning.optimise"]) { ask(.optimise) }
                .disabled(step != nil)
        }
    }

    // MARK: Steps

    /// Requests a step; it has no effect while another one is under way.
    private func ask(_ wanted: Step) { if step == nil { step = wanted } }

    private func take(_ step: Step) async {
        switch step {
        case .save: await save()
        case .reset:
            await model.reset()
            finish(formats.words["settings.changed"])
        case .optimise: sentence = await model.optimise()?.sentence(formats)
        }
    }

    private func save() async {
        guard let screen = model.screen else { return }
        let applied = (form ?? LearningForm(screen.settings)).applied(to: screen.settings)
        wrong = applied.wrong
        guard wrong.isEmpty else { return sentence = nil }
        if price?.retention != applied.settings.retention {
            price = await model.price(of: applied.settings)
            guard price == nil else { return sentence = nil }
        }
        await model.save(applied.settings)
        finish(formats.words["settings.changed"])
    }

    private func finish(_ said: String) {
        guard model.problem == nil else { return }
        (form, price, sentence) = (nil, nil, said)
        wrong = []
    }
}

extension LearningForm? {
    /// The form as controls show it; setting it changes the draft.
    fileprivate subscript(or saved: LearningForm) -> LearningForm {
        get { self ?? saved }
        set { self = newValue }
    }
}

extension [LearningFields.Field: String] {
    /// The typed text of a number.
    fileprivate subscript(of field: LearningFields.Field) -> String {
        get { self[field] ?? "" }
        set { self[field] = newValue }
    }
}

extension View {
    /// Shows the keyboard of digits.
    fileprivate func typesNumbers() -> some View {
        #if os(macOS)
        self
        #else
        keyboardType(.numberPad)
        #endif
    }
}
#endif
