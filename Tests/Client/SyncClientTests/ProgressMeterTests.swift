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

/// A web page in place of a file, as a network sends it that wants a sign-in.
@Suite struct PageWatchTests {
    private func watch(
        _ pieces: [String], isJSON: Bool = true, status: Int = 200, type: String? = nil
    ) -> Bool {
        let response = TransportResponse(
            status: status, headers: type.map { ["content-type": $0] } ?? [:],
            body: .init { $0.finish() })
        var watch = PageWatch(isJSON: isJSON, response)
        for piece in pieces { watch.append(Array(piece.utf8)) }
        return watch.isPage
    }

    @Test func aPageIsKnownByItsFirstMarkInAnyPieces() {
        #expect(watch(["<html>"]) && watch(["\u{FEFF}\r\n", " \t", "<", "!doctype"]))
        #expect(!watch([]) && !watch(["  "]) && !watch(["{\"a\":\"<html>\"}"]))
        #expect(!watch([String(repeating: " ", count: WebPage.examinedBytesMax), "<html>"]))
    }

    /// An image or a page of the app's own may be of any bytes.
    @Test func anAssetIsAPageOnlyWhereTheHostSaysSo() {
        #expect(!watch(["<svg>"], isJSON: false))
        #expect(!watch(["<svg>"], isJSON: false, type: "image/svg+xml"))
        #expect(watch(["<svg>"], isJSON: false, type: "Text/HTML; charset=utf-8"))
        #expect(watch(["<p>"], isJSON: false, type: "application/xhtml+xml"))
        #expect(!watch(["<html>"], status: 206), "the rest of a file may begin with anything")
    }
}
