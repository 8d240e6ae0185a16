import Foundation
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel

@Suite struct AccountModelTests {
    private let email = "anne@example.org"
    private let password = "correct horse"

    private func model(_ study: StudyDevice) async -> AccountModel {
        let model = await AccountModel(study.services)
        await model.load()
        return model
    }

    @Test func aNewDeviceHasNoAccountAndNothingToBring() async throws {
        let screen = await model(try await StudyDevice()).screen

        #expect(
            screen
                == AccountScreen(
                    identity: StudyIdentity(kind: .local, name: "", hasServer: true),
                    unsentCount: 0, hasData: false))
    }

    /// With a server answers are sent without a name, so nothing may be said to stay.
    @Test func whatIsSaidOfALearnerWithoutAnAccountIsTrue() {
        let words = StudyText(language: "en")
        let alone = StudyIdentity(kind: .local, name: "", hasServer: false).sentence(words)
        #expect(alone == "You are not signed in. Everything stays on this device.")
        let served = StudyIdentity(kind: .local, name: "", hasServer: true).sentence(words)
        #expect(served.hasSuffix("and sent to the server without a name."))
    }

    @Test func creatingAnAccountNamesIt() async throws {
        let study = try await StudyDevice()
        try await study.saveQuestion()
        let model = await model(study)

        #expect(await model.create(email: " \(email) ", password: password))

        #expect(
            await model.screen?.identity
                == StudyIdentity(kind: .named, name: email, hasServer: true))
        #expect(await study.services.settings.value.accountNames.values.sorted() == [email])
    }

    @Test func everyFailedSignInHasTheSameReason() async throws {
        let study = try await StudyDevice()
        study.users.addAccount(email: email, password: password)
        let model = await model(study)

        var problems: [AccountProblem?] = []
        for (email, password) in [(email, "wrong horse"), ("bea@example.org", password), ("", "")] {
            #expect(
                await !model.signIn(email: email, password: password, bringing: .nothing))
            problems.append(await model.problem)
        }
        study.users.signInRefusal = .tooManyRequests
        #expect(await !model.signIn(email: email, password: password, bringing: .nothing))
        problems.append(await model.problem)
        study.network.isOffline = true
        #expect(await !model.signIn(email: email, password: password, bringing: .nothing))
        problems.append(await model.problem)

        #expect(problems == Array(repeating: .signInFailed, count: 5))
        #expect(await model.screen?.identity.kind == .local)
    }

    @Test(arguments: [BroughtData.everything, .nothing])
    func signingInBringsWhatTheLearnerChose(bringing: BroughtData) async throws {
        let study = try await StudyDevice()
        study.users.addAccount(email: email, password: password)
        try await study.saveQuestion()
        let model = await model(study)
        #expect(await model.screen?.hasData == true)

        #expect(await model.signIn(email: email, password: password, bringing: bringing))

        let saved = try study.device.userData.records(Favourite.self).map(\.id)
        #expect(saved == (bringing == .everything ? ["lights"] : []))
        #expect(
            try study.device.userData.otherUsers().count
                == (bringing == .everything ? 0 : 1))
    }

    @Test func signingOutSendsWhatWaitsAndRemovesIt() async throws {
        let study = try await StudyDevice()
        let model = await model(study)
        #expect(await model.create(email: email, password: password))
        try await study.saveQuestion()
        await model.load()
        #expect(await model.screen?.unsentCount == 1)

        #expect(await model.signOut(.send))

        #expect(await model.screen?.identity.kind == .local)
        #expect(study.users.records(Favourite.self).map(\.id) == ["lights"])
        #expect(try study.device.userData.otherUsers().isEmpty)
        #expect(await study.services.settings.value.accountNames.isEmpty)
    }

    @Test func nobodyIsSignedOutWhileWhatWaitsCannotBeSent() async throws {
        let study = try await StudyDevice()
        let model = await model(study)
        #expect(await model.create(email: email, password: password))
        try await study.saveQuestion()
        await model.load()
        study.network.isOffline = true

        #expect(await !model.signOut(.send))

        #expect(await model.problem == .notSent)
        #expect(await model.screen?.identity.name == email)
        #expect(try study.device.userData.records(Favourite.self).count == 1)
    }

    @Test func whatIsKeptComesBackWithTheNextSignIn() async throws {
        let study = try await StudyDevice()
        let model = await model(study)
        #expect(await model.create(email: email, password: password))
        try await study.saveQuestion()
        study.network.isOffline = true

        #expect(await model.signOut(.keep))
        #expect(try study.device.userData.records(Favourite.self).isEmpty)
        study.network.heal()
        #expect(await model.signIn(email: email, password: password, bringing: .nothing))

        #expect(try study.device.userData.records(Favourite.self).count == 1)
        #expect(await model.screen?.unsentCount == 1)
    }

    @Test func erasingLosesWhatWaits() async throws {
        let study = try await StudyDevice()
        let model = await model(study)
        #expect(await model.create(email: email, password: password))
        try await study.saveQuestion()
        await model.load()

        #expect(await model.signOut(.erase))

        #expect(try study.device.userData.otherUsers().isEmpty)
        #expect(study.users.records(Favourite.self).isEmpty)
    }

    @Test func whatASignedOutLearnerDidNotSendIsNamed() async throws {
        let study = try await StudyDevice()
        let model = await model(study)
        #expect(await model.create(email: email, password: password))
        try await study.saveQuestion()
        #expect(await model.signOut(.keep))
        let waiting = try #require(await model.screen?.waiting.first)
        #expect(waiting.name == email && waiting.count == 1)
        #expect(
            waiting.sentence(StudyText(language: "en"))
                == "1 change of \(email) waits on this device. Sign in to send it, take it along, or"
                + " delete it.")
        #expect(await model.signIn(email: email, password: password, bringing: .nothing))
        #expect(await model.screen?.waiting.isEmpty == true)
    }

    @Test func onlyTheTypedNameDeletesTheAccount() async throws {
        let study = try await StudyDevice()
        let model = await model(study)
        #expect(await model.create(email: email, password: password))

        #expect(await !model.delete(typedName: "anne"))
        #expect(await model.problem == .nameMismatch)
        #expect(await !model.delete(typedName: ""))
        #expect(study.users.users.count == 1)
        study.network.isOffline = true
        #expect(await !model.delete(typedName: email))
        #expect(await model.problem == .deletionUnknown)
        study.network.heal()
        #expect(await model.delete(typedName: " \(email) "))

        #expect(study.users.users.isEmpty)
        #expect(await model.screen?.identity.kind == .local)
        #expect(await model.screen?.hasData == false)
    }

    @Test func aRefusedDeletionDeletesNothing() async throws {
        let study = try await StudyDevice()
        let model = await model(study)
        #expect(await model.create(email: email, password: password))
        study.users.endSessions()

        #expect(await !model.delete(typedName: email))

        #expect(await model.problem == .notDeleted)
        #expect(study.users.users.count == 1)
    }

    @Test func withoutAnAccountAnEmptyNameDeletesNothing() async throws {
        let study = try await StudyDevice()
        try await study.saveQuestion()
        let model = await model(study)

        #expect(await !model.delete(typedName: ""))

        #expect(await model.problem == .nameMismatch)
        #expect(try study.device.userData.records(Favourite.self).count == 1)
    }

    @Test func theExportHasWhatWasNotSent() async throws {
        let study = try await StudyDevice()
        let model = await model(study)
        let empty = try #require(await model.export())
        try await study.saveQuestion()
        study.network.isOffline = true

        let data = try #require(await model.export())

        #expect((try JSONSerialization.jsonObject(with: empty) as? [String: Any]) != nil)
        #expect(String(decoding: data, as: UTF8.self).contains("\"lights\""))
    }

    // MARK: Joined accounts

    /// A device whose learner has an account without a name, and the account to sign in to.
    private func anonymous() async throws -> StudyDevice {
        let study = try await StudyDevice()
        study.users.addAccount(email: email, password: password)
        try await study.saveQuestion()
        await study.services.sync?.syncNow()
        return study
    }

    @Test func aSignInThatIsStillMovingSaysSo() async throws {
        let study = try await anonymous()
        study.network.fail("v1/move", with: .offline)
        let model = await model(study)
        #expect(
            await !model.signIn(email: email, password: password, bringing: .everything))
        #expect(await model.problem == .moving)
        #expect(
            await model.problem?.sentence(StudyText(language: "en"))
                == "Your answers are on their way to the account. This goes on by itself, and nothing is lost."
        )
        study.network.heal()
        await study.services.sync?.syncNow()
        await model.load()
        #expect(await model.screen?.unsentCount == 0)
        #expect(study.users.users.count == 1)
    }

    @Test func anAccountThatCouldNotBeJoinedIsNamedWithTheReason() async throws {
        let study = try await anonymous()
        study.network.fail(
            "v1/move", with: .reply(TestReply(409, body: Array(#"{"code": "tooMuch"}"#.utf8))))
        let model = await model(study)
        #expect(await model.signIn(email: email, password: password, bringing: .everything))
        let waiting = try #require(await model.screen?.waiting.first)
        #expect(waiting.obstacle == "tooMuch" && waiting.count == 0)
        #expect(
            waiting.sentence(StudyText(language: "en")).hasSuffix(
                "both together have more than one account may have."))
    }

    /// Who has to sign in to another account is asked what comes along.
    @Test func aMovedAccountStillHasDataToBring() async throws {
        let study = try await anonymous()
        study.network.fail(
            "exchange",
            with: .reply(TestReply(410, body: Array(#"{"code": "movedAccount"}"#.utf8))))
        await study.services.sync?.syncNow()
        let screen = try #require(await model(study).screen)
        #expect(screen.identity.hasToSignInAgain && screen.hasData)
    }
}
