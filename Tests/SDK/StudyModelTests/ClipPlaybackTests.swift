import StudyModel
import Testing
import Underway

/// The decisions of a player with several clips.
@Suite struct ClipPlaybackTests {
    private let first = Checksum(of: [1])
    private let second = Checksum(of: [2])

    @Test func aPressPlaysPausesAndGoesOn() {
        var playback = ClipPlayback()
        #expect(playback.press(first) == .start(first))
        #expect(playback.isPlaying(first))
        #expect(playback.press(first) == .pause && !playback.isPlaying(first))
        #expect(playback.press(first) == .resume && playback.isPlaying(first))
    }

    @Test func startingAClipStopsTheOther() {
        var playback = ClipPlayback()
        _ = playback.press(first)
        #expect(playback.press(second) == .start(second))
        #expect(!playback.isPlaying(first) && playback.isPlaying(second))
        #expect(playback.press(first) == .start(first), "it does not go on where it was")
    }

    @Test func theEndOfAClipThatWasStoppedSaysNothing() {
        var playback = ClipPlayback()
        _ = playback.press(first)
        _ = playback.press(second)
        playback.ended(first)
        #expect(playback.isPlaying(second))
        playback.ended(second)
        #expect(playback.press(second) == .start(second))
    }
}
