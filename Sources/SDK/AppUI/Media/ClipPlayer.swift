#if canImport(SwiftUI) && canImport(AVFoundation) && !os(watchOS) && !os(tvOS)
import AVFoundation
import Foundation
import Observation
import StudyModel
import Underway

/// Plays clips, one at a time, and never by itself.
@MainActor @Observable
final class ClipPlayer {
    private(set) var playback = ClipPlayback()
    /// The clip that could not be played; `nil` after one that could.
    private(set) var failed: Checksum?
    @ObservationIgnored private var player: AVAudioPlayer?
    @ObservationIgnored private var end: ClipEnd?

    /// Plays a clip, or pauses the one that plays.
    func press(_ clip: Checksum, bytes: @MainActor () async -> [UInt8]?) async {
        switch playback.press(clip) {
        case .start: await start(clip, bytes)
        case .resume: player?.play()
        case .pause: player?.pause()
        }
    }

    /// Stops what plays, as when its question leaves the screen.
    func stop() {
        player?.stop()
        player = nil
        playback = ClipPlayback()
    }

    private func start(_ clip: Checksum, _ bytes: @MainActor () async -> [UInt8]?) async {
        player?.stop()
        player = nil
        let found = await bytes()
        // The learner may have paused it, or started another, while the file was read.
        guard playback.isPlaying(clip) else { return playback.ended(clip) }
        do {
            guard let found else { throw CocoaError(.fileNoSuchFile) }
            try Self.useSpeaker()
            let player = try AVAudioPlayer(data: Data(found))
            let end = ClipEnd { [weak self] in self?.playback.ended(clip) }
            player.delegate = end
            guard player.play() else { throw CocoaError(.fileReadCorruptFile) }
            (self.player, self.end, failed) = (player, end, nil)
        } catch {
            failed = clip
            playback.ended(clip)
        }
    }

    /// A clip that the learner starts is heard also when the phone is silent.
    private static func useSpeaker() throws {
        #if os(iOS) || os(visionOS)
        try AVAudioSession.sharedInstance().setCategory(.playback, mode: .spokenAudio)
        #endif
    }
}

/// Says that a clip ended.
private final class ClipEnd: NSObject, AVAudioPlayerDelegate {
    private let ended: @MainActor @Sendable () -> Void

    init(_ ended: @escaping @MainActor @Sendable () -> Void) { self.ended = ended }

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
        Task { @MainActor [ended] in ended() }
    }
}
#endif
