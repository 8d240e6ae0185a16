#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

#if os(macOS)
import AppKit
#else
import UIKit
#endif

/// The form of a step with the account: sign in, create, sign out or delete.
///
/// A password is passed only from its field to the model.
public struct AccountForm: View {
    /// A press of a button of the form.
    private enum Press: Equatable {
        case take
        case signOut(SignOutChoice)
    }

    private let model: AccountModel
    private let step: AccountStep
    private let done: @MainActor (AccountStep) -> Void
    @State private var email = ""
    @State private var password = ""
    @State private var name = ""
    @State private var brought: BroughtData?
    @State private var press: Press?
    @State private var sentence: String?
    @Environment(\.studyFormats) private var formats

    /// Creates the form of a step.
    ///
    /// - Parameters:
    ///   - model: The account.
    ///   - step: The step.
    ///   - done: Leaves the form after the step was taken.
    public init(
        _ model: AccountModel, step: AccountStep, done: @escaping @MainActor (AccountStep) -> Void
    ) {
        self.model = model
        self.step = step
        self.done = done
    }

    /// The form.
    public var body: some View {
        Form {
            if let screen = model.screen {
                Section { Text(verbatim: lead(screen)) }
                if let sentence { Section { ProblemLine(sentence) } }
                fields(screen)
            } else if case .other(let problem)? = model.problem {
                ProblemCard(problem)
            } else {
                ProgressView(formats.words["app.loading"])
            }
        }
        .formStyle(.grouped)
        .navigationTitle(formats.words[step.titleKey])
        .task { await model.load() }
        .performs($press) { await take($0) }
    }

    private func lead(_ screen: AccountScreen) -> String {
        switch step {
        case .signIn: formats.words["account.signInHint"]
        case .create: formats.words["account.createHint"]
        case .signOut: screen.signOutSentence(formats.words)
        case .delete: formats.words["account.deleteWhatGoes"]
        }
    }

    @ViewBuilder
    private func fields(_ screen: AccountScreen) -> some View {
        switch step {
        case .signIn, .create:
            Section { credentials }
            if step == .signIn, screen.hasData { bring }
            mainButton.disabled(press != nil)
        case .signOut:
            if screen.hasToChoose {
                ForEach(SignOutChoice.allCases, id: \.self) { choice($0) }
            } else {
                button(step.titleKey, role: nil) { ask(.signOut(.send)) }
            }
        case .delete:
            Section(formats.words.text("account.deleteType", ["name": screen.identity.name])) {
                TextField(formats.words["account.name"], text: $name)
                    .autocorrectionDisabled()
                    .neverCapitalized()
            }
            button(step.titleKey, role: .destructive) { ask(.take) }
        }
    }

    @ViewBuilder private var credentials: some View {
        TextField(formats.words["account.email"], text: $email)
            .textContentType(.username)
            .autocorrectionDisabled()
            .neverCapitalized()
            .typesAnAddress()
        SecureField(formats.words["account.password"], text: $password)
            .textContentType(step == .create ? .newPassword : .password)
            .onSubmit { ask(.take) }
    }

    private var bring: some View {
        Section(formats.words["account.bring"]) {
            Picker(formats.words["account.bring"], selection: $brought) {
                Text(verbatim: formats.words["account.bringEverything"])
                    .tag(Optional(BroughtData.everything))
                Text(verbatim: formats.words["account.bringNothing"])
                    .tag(Optional(BroughtData.nothing))
            }
            .pickerStyle(.inline)
            .labelsHidden()
        }
    }

    private var mainButton: some View {
        Button(action: { ask(.take) }) {
            Text(verbatim: formats.words[step.titleKey]).frame(maxWidth: .infinity)
        }
        .buttonStyle(.studyFilled)
        .keyboardShortcut(.defaultAction)
    }

    private func choice(_ choice: SignOutChoice) -> some View {
        Section {
            button(choice.titleKey, role: choice == .erase ? .destructive : nil) {
                ask(.signOut(choice))
            }
        } footer: {
            Text(verbatim: formats.words[choice.hintKey])
        }
    }

    private func button(
        _ key: String, role: ButtonRole?, _ action: @escaping @MainActor () -> Void
    ) -> some View {
        Button(formats.words[key], role: role, action: action).buttonStyle(.studyOutlined)
            .disabled(press != nil)
    }

    // MARK: Steps

    /// Requests the step; it has no effect while the step is under way.
    private func ask(_ wanted: Press) { if press == nil { press = wanted } }

    private func take(_ press: Press) async {
        if step == .signIn, model.screen?.hasData == true, brought == nil {
            return sentence = formats.words["account.bringChoose"]
        }
        guard await perform(press) else {
            return sentence = model.problem?.sentence(formats.words)
        }
        password = ""
        done(step)
    }

    private func perform(_ press: Press) async -> Bool {
        switch (press, step) {
        case (.signOut(let choice), _): await model.signOut(choice)
        case (.take, .signIn):
            await model.signIn(email: email, password: password, bringing: brought ?? .nothing)
        case (.take, .create): await model.create(email: email, password: password)
        case (.take, .signOut): await model.signOut(.send)
        case (.take, .delete): await model.delete(typedName: name)
        }
    }
}

extension View {
    /// Shows the keyboard of e-mail addresses.
    fileprivate func typesAnAddress() -> some View {
        #if os(macOS)
        self
        #else
        keyboardType(.emailAddress)
        #endif
    }

    /// Leaves the letters of a name as they are typed.
    fileprivate func neverCapitalized() -> some View {
        #if os(macOS)
        self
        #else
        textInputAutocapitalization(.never)
        #endif
    }
}
#endif
