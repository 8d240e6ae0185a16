public import Underway

/// The decisions of a player: at most one clip plays at a time.
///
/// ```swift
/// var playback = ClipPlayback()
/// let effect = playback.press(clip.checksum)  // .start(clip.checksum)
/// ```
public struct ClipPlayback: Sendable, Hashable {
    /// What the player does after a press.
    public enum Effect: Sendable, Hashable {
        /// Stops any other clip and plays this one from its start.
        case start(Checksum)
        /// Goes on where the clip was paused.
        case resume
        /// Pauses the clip.
        case pause
    }

    /// The clip that plays or is paused; `nil` for none.
    public private(set) var current: Checksum?
    private var isPaused = false

    /// Creates a player without a clip.
    public init() {}

    /// Returns true while the clip plays.
    public func isPlaying(_ clip: Checksum) -> Bool { current == clip && !isPaused }

    /// Plays a clip, or pauses the one that plays.
    public mutating func press(_ clip: Checksum) -> Effect {
        guard current == clip else {
            (current, isPaused) = (clip, false)
            return .start(clip)
        }
        isPaused.toggle()
        return isPaused ? .pause : .resume
    }

    /// Notes that a clip ended, or could not be played; of another clip it says nothing.
    public mutating func ended(_ clip: Checksum) {
        guard current == clip else { return }
        (current, isPaused) = (nil, false)
    }
}
