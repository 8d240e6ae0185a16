import Testing
import Underway
import UnderwayTesting

@testable import StudyModel

@MainActor @Suite struct LearningModelTests {
    @Test func aSubjectFollowsTheOthersUntilItDiffers() async throws {
        let device = try await StudyDevice()
        let services = device.services
        let all = LearningModel(services)
        let one = LearningModel(services, bank: StudyDevice.exam)
        await one.load()
        #expect(one.screen?.isChanged == false && one.screen?.subject?.bank == StudyDevice.exam)

        var settings = LearningSettings()
        (settings.newPerDay, settings.retention, settings.rolloverHour) = (7, 0.95, 3)
        await all.save(settings)
        await one.load()
        #expect(one.screen?.settings == settings && one.screen?.isChanged == false)
        #expect(services.days.rolloverHour == 3)

        settings.newPerDay = 30
        await one.save(settings)
        settings.retention = 0.8
        settings.newPerDay = 7
        await all.save(settings)
        await one.load()
        #expect(one.screen?.settings.newPerDay == 30 && one.screen?.settings.retention == 0.8)
        #expect(one.screen?.isChanged == true)

        await one.reset()
        #expect(one.screen?.settings == settings && one.screen?.isChanged == false)
        await all.save(.standard)
        #expect(all.screen?.settings == .standard && all.screen?.isChanged == false)
    }

    @Test func aFormChangesWhatItShowsAndKeepsTheRest() {
        var settings = LearningSettings()
        (settings.optimises, settings.repeatsToday, settings.retention) = (false, false, 0.885)
        var form = LearningForm(settings)
        #expect(form.applied(to: settings).settings == settings)
        #expect(form.applied(to: settings).wrong.isEmpty)
        form.texts[.newPerDay] = " 1 000 "
        form.texts[.retention] = "90"
        form.easyDays = [100, 50, 0, 100, 100, 100, 0]
        let (changed, wrong) = form.applied(to: settings)
        #expect(wrong == [.newPerDay])
        #expect(!changed.optimises && !changed.repeatsToday && changed.retention == 0.9)
        #expect(changed.easyDays.weights == form.easyDays)
    }

    @Test(arguments: [
        (LearningFields.Field.newPerDay, ["0", "999"], ["-1", "1000", "", "x", "1.5"]),
        (.reviewsPerDay, ["0", "9999"], ["10000"]), (.examPerDay, ["1", "500"], ["0", "501"]),
        (.retention, ["70", "97"], ["69", "98"]), (.lapseLimit, ["0", "3", "99"], ["2", "100"]),
    ])
    func numbersAreWithinTheirRange(
        field: LearningFields.Field, right: [String], wrong: [String]
    ) {
        var form = LearningForm(.standard)
        for text in right + wrong {
            form.texts[field] = text
            let isWrong = form.applied(to: .standard).wrong == [field]
            #expect(isWrong == wrong.contains(text), "\(field) \(text)")
        }
    }
}
