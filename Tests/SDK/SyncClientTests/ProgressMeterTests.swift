import ContentModel
import Foundation
import RemoteAssets
import Testing

@testable import SyncClient

/// The counts behind a progress bar, whatever the order in which downloads end.
@Suite struct ProgressMeterTests {
    private let meter = ProgressMeter()

    private var progress: SyncProgress { meter.status.value.progress }

    @Test func aDiscardedDownloadGivesItsBytesBack() {
        meter.began()
        meter.planned(bytes: 100)
        meter.planned(bytes: 50)
        meter.arrived(bytes: 60)
        meter.arrived(bytes: 20)
        meter.ended(counted: 20, verified: 0)
        #expect(progress.bytesDone == 60 && progress.bytesExpected == 150)
        // One that was resumed had 40 bytes before this run.
        meter.ended(counted: 60, verified: 100)
        #expect(progress.bytesDone == 100 && progress.fractionDone == 100.0 / 150)
    }

    @Test func aPartIsNeverMoreThanTheWhole() {
        var progress = SyncProgress()
        #expect(progress.fractionDone == nil)
        progress.bytesExpected = 0
        #expect(progress.fractionDone == nil, "a run that fetches nothing has no part of it")
        progress.bytesExpected = 10
        progress.bytesDone = 11
        #expect(progress.fractionDone == 1)
    }

    @Test func filesBesideARunBelongToIt() {
        meter.began()
        meter.requested()
        meter.entered(.fetching)
        meter.planned(bytes: 10)
        #expect(!meter.beganFiles(bytes: 5))
        #expect(progress.bytesExpected == 15 && progress.requests == 1)
        meter.ended(SyncReport(outcome: .upToDate, tally: SyncTally()), at: .now, nextPoll: nil)
        // The run has ended before its files, and the next began meanwhile.
        meter.began()
        meter.endedFiles()
        #expect(meter.status.value.phase == .checking && progress == SyncProgress())
    }

    @Test func filesAloneBeginAndEndTheirPhase() {
        #expect(meter.beganFiles(bytes: 5))
        #expect(meter.status.value.phase == .fetching && progress.bytesExpected == 5)
        #expect(!meter.beganFiles(bytes: 7), "the first has not ended")
        #expect(progress.bytesExpected == 12)
        meter.endedFiles()
        #expect(!meter.status.value.isRunning && meter.status.value.lastReport == nil)
    }
}
