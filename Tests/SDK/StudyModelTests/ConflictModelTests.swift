import Foundation
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel

@Suite struct ConflictModelTests {
    private typealias Goal = TwoDevices.Goal
    private let key = RecordKey("reservations", "int/rules")
    private let mine = Reservation(exam: "int/rules", date: "2027-02-12", status: .booked)
    private let theirs = Reservation(exam: "int/rules", date: "2027-02-19", status: .booked)

    private func disagreeing() async throws -> TwoDevices {
        let devices = try await TwoDevices()
        let before = Reservation(exam: "int/rules", date: "2027-02-05", status: .booked)
        try devices.phone.userData.put(before, id: "int/rules", now: devices.now)
        await devices.sync(devices.phone, devices.tablet)
        try await devices.disagree(mine, theirs, id: "int/rules")
        return devices
    }

    private func loaded(_ devices: TwoDevices) async throws -> (ConflictModel, ConflictScreen) {
        let model = await ConflictModel(devices.services, key: key)
        await model.load()
        return (model, try #require(await model.screen))
    }

    private func onServer(_ devices: TwoDevices) async -> [ExamDate] {
        await devices.sync(devices.tablet)
        return devices.server.records(Reservation.self).map(\.value.date)
    }

    @Test func differingFieldsComeFirstWithWhatWasBefore() async throws {
        let (_, screen) = try await loaded(disagreeing())
        #expect(screen.fields.map(\.name) == ["date", "exam", "status"])
        #expect(screen.fields.map(\.differs) == [true, false, false])
        #expect(screen.fields.map(\.kind) == [.examDate, .subject, .status])
        #expect(screen.fields[0].mine == "2027-02-12" && screen.fields[0].server == "2027-02-19")
        #expect(screen.fields[0].base == "2027-02-05" && screen.hasBase)
        #expect(screen.mineChangedAt > screen.serverChangedAt && screen.canEdit)
    }

    @Test func keepMineWritesTheOwnVersion() async throws {
        let devices = try await disagreeing()
        let (model, screen) = try await loaded(devices)
        await model.keepMine(shown: screen.tag)
        #expect(await model.outcome == .keptMine)
        #expect(await onServer(devices) == [mine.date])
        #expect(try devices.tablet.userData.conflicts().isEmpty)
    }

    @Test func useServerDiscardsTheOwnVersion() async throws {
        let devices = try await disagreeing()
        let (model, screen) = try await loaded(devices)
        await model.useServer(shown: screen.tag)
        #expect(await model.outcome == .usedServer)
        #expect(await onServer(devices) == [theirs.date])
        let shown = try devices.tablet.userData.record(Reservation.self, id: "int/rules")
        #expect(shown == theirs)
    }

    @Test func bothAreEditedIntoOne() async throws {
        let devices = try await disagreeing()
        let (model, screen) = try await loaded(devices)
        let edit = ConflictEdit(["date": "2027-03-01", "status": "planned"], of: screen)
        await model.save(edit, shown: screen.tag)
        #expect(await model.outcome == .edited)
        #expect(await onServer(devices) == ["2027-03-01"])
        #expect(devices.server.records(Reservation.self).map(\.value.status) == [.planned])
    }

    @Test func nothingIsDoneWhenTheServerChangedMeanwhile() async throws {
        let devices = try await disagreeing()
        let (model, screen) = try await loaded(devices)
        let third = Reservation(exam: "int/rules", date: "2027-02-26", status: .booked)
        try devices.phone.userData.put(third, id: "int/rules", now: devices.now)
        await devices.sync(devices.phone, devices.tablet)

        await model.keepMine(shown: screen.tag)

        #expect(await model.outcome == .serverChanged)
        #expect(await model.screen?.fields[0].server == "2027-02-26")
        #expect(await onServer(devices) == [third.date])
        #expect(try devices.tablet.userData.conflicts().count == 1)
        let tag = try #require(await model.screen?.tag)
        await model.keepMine(shown: tag)
        #expect(await model.outcome == .keptMine)
        #expect(await onServer(devices) == [mine.date])
    }

    @Test func aConflictThatWasDecidedElsewhereIsSaidToBe() async throws {
        let devices = try await disagreeing()
        let (model, screen) = try await loaded(devices)
        let other = await ConflictModel(devices.services, key: key)
        await other.useServer(shown: screen.tag)

        await model.keepMine(shown: screen.tag)
        #expect(await model.outcome == .settledElsewhere)
        #expect(await model.screen == nil)
        #expect(await model.problem == nil)
        let late = await ConflictModel(devices.services, key: key)
        await late.load()
        #expect(await late.outcome == .settledElsewhere)
        await other.load()
        #expect(await other.outcome == .usedServer)
    }

    @Test func aDeletionIsOneOfTheVersions() async throws {
        let devices = try await disagreeing()
        let (model, screen) = try await loaded(devices)
        await model.keepMine(shown: screen.tag)
        await devices.sync(devices.tablet, devices.phone)
        try devices.phone.userData.delete(
            Reservation.self, id: "int/rules", now: devices.now)
        try devices.tablet.userData.put(theirs, id: "int/rules", now: devices.now)
        await devices.sync(devices.phone, devices.tablet)

        let (again, deleted) = try await loaded(devices)
        #expect(deleted.isServerDeleted && !deleted.isMineDeleted && !deleted.canEdit)
        #expect(deleted.fields.count == 3)
        await again.keepMine(shown: deleted.tag)
        #expect(await onServer(devices) == [theirs.date])
    }

    @Test func enteredTextsBecomeValuesOfTheirKinds() async throws {
        let devices = try await TwoDevices()
        try await devices.disagree(
            Goal(title: "a\u{20}", minutes: 20.5, isLoud: true, days: ["Mon"]),
            Goal(title: "b", minutes: 30, isLoud: false, days: ["Tue"]), id: "g")
        let model = await ConflictModel(devices.services, key: RecordKey("goals", "g"))
        await model.load()
        let screen = try #require(await model.screen)
        #expect(screen.fields.map(\.kind) == [.list, .flag, .number, .text])

        let same = ConflictEdit([:], of: screen)
        #expect(same.fields["title"] == "a " && same.fields["minutes"] == .decimal(20.5))
        let edit = ConflictEdit(
            ["title": " c ", "minutes": "25", "isLoud": "false", "days": ConflictEdit.server],
            of: screen)
        #expect(edit.invalid.isEmpty)
        #expect(
            edit.fields == [
                "title": "c", "minutes": 25, "isLoud": false, "days": .list(["Tue"]),
            ])
        let wrong = ConflictEdit(
            ["minutes": "many", "isLoud": "perhaps", "days": "all"], of: screen)
        #expect(wrong.invalid == ["minutes", "isLoud", "days"])
        await model.save(wrong, shown: screen.tag)
        #expect(await model.outcome == .notAccepted)
        #expect(try devices.tablet.userData.conflicts().count == 1)
    }
}
