import PageRendering
import StudyModel

/// The values of the account's page.
struct AccountView {
    var state: String
    var isSignInOpen: Bool
    var isCreateOpen: Bool
    var isSignOutOpen: Bool
    var isDeleteOpen: Bool
    /// The sentences about what waits of learners who signed out.
    var waiting: [String]

    init(_ screen: AccountScreen, _ formats: StudyFormats) {
        let words = formats.words
        let identity = screen.identity
        state =
            identity.kind == .local && !identity.hasServer
            ? words["settings.noServer"] : identity.sentence(words)
        isSignInOpen = AccountStep.signIn.isOpen(to: identity)
        isCreateOpen = AccountStep.create.isOpen(to: identity)
        isSignOutOpen = AccountStep.signOut.isOpen(to: identity)
        isDeleteOpen = AccountStep.delete.isOpen(to: identity)
        waiting = screen.waiting.map { $0.sentence(words) }
    }
}

/// The values of a form of the account; what was typed comes back, but never a password.
struct AccountFormView {
    var action: String
    var problem: String?
    var email: String
    /// True when the learner has to say what happens to the data on the device.
    var isAsking: Bool
    var isBringing: Bool
    var isLeaving: Bool
    var hasToChoose: Bool
    var leaving: String
    var typeName: String
    var name: String

    init(
        _ form: AccountStep, _ screen: AccountScreen, _ formats: StudyFormats,
        _ fields: FormFields, problem: String?
    ) {
        let words = formats.words
        action = form.path
        self.problem = problem
        email = fields["email"] ?? ""
        isAsking = form == .signIn && screen.hasData
        isBringing = fields["bring"] == "everything"
        isLeaving = fields["bring"] == "nothing"
        hasToChoose = screen.hasToChoose
        leaving = screen.signOutSentence(words)
        typeName = words.text("account.deleteType", ["name": screen.identity.name])
        name = fields["name"] ?? ""
    }
}
