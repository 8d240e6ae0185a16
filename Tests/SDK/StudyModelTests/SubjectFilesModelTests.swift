import Foundation
import StudyModel
import Testing
import Underway
import UnderwayTesting

@Suite struct SubjectFilesModelTests {
    @Test func fetchingBringsAllFilesToTheDevice() async throws {
        let study = try await StudyDevice()
        let model = SubjectFilesModel(study.services, bank: StudyDevice.english)
        await model.load()
        #expect(await model.files?.fetchedCount == 0)
        #expect(await model.files?.bytes == 13)

        await model.fetch()

        let files = try #require(await model.files)
        #expect(await model.problem == nil)
        #expect(files.isComplete && files.kind == .audio)
        #expect(files.fetchedBytes == 13 && files.removableBytes == 13)
    }

    @Test func aFailureLeavesWhatArrivedAndTheNextTryEndsIt() async throws {
        let study = try await StudyDevice()
        let model = SubjectFilesModel(study.services, bank: StudyDevice.english)
        study.network.isOffline = true

        await model.fetch()
        #expect(await model.problem?.code == .offline)
        #expect(await model.isFetching == false)
        study.network.heal()
        await model.fetch()

        #expect(await model.problem == nil)
        #expect(await model.files?.isComplete == true)
    }

    @Test func aCancelledFetchIsNoProblem() async throws {
        let study = try await StudyDevice()
        let model = SubjectFilesModel(study.services, bank: StudyDevice.english)
        let gate = study.network.holdRequests()
        await withTaskGroup { group in
            group.addTask { await model.fetch() }
            await gate.arrival()
            #expect(await model.isFetching)
            group.cancelAll()
        }

        #expect(await model.problem == nil)
        #expect(await model.isFetching == false)
        #expect(await model.files?.isComplete == false)
    }

    @Test func removingLeavesFilesThatAnotherSubjectUses() async throws {
        let study = try await StudyDevice()
        let audio = SubjectFilesModel(study.services, bank: StudyDevice.english)
        let pictures = SubjectFilesModel(study.services, bank: StudyDevice.exam)
        await audio.fetch()
        await pictures.fetch()
        let settings = await SettingsModel(study.services)
        await settings.load()
        #expect(await settings.screen?.storage.map(\.id) == ["en", "int/harbour"])

        await audio.remove()
        await pictures.load()

        #expect(await audio.problem == nil)
        #expect(await audio.files?.fetchedCount == 1)
        #expect(await pictures.files?.isComplete == true)
        #expect(await pictures.files?.kind == .pictures)
        await pictures.remove()
        #expect(await pictures.files?.fetchedCount == 1)
    }

    @Test func aSubjectWithoutFilesHasNone() async throws {
        let study = try await StudyDevice()
        let model = SubjectFilesModel(study.services, bank: .placement(language: "xx"))

        await model.load()
        await model.remove()

        #expect(await model.files == nil)
        #expect(await model.problem?.code == .notFound)
    }
}
