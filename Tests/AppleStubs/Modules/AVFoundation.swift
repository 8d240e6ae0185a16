public import Foundation

open class AVAudioPlayer: NSObject {
    public init(data: Data) throws {}
    open weak var delegate: (any AVAudioPlayerDelegate)?
    open var isPlaying: Bool { fatalError() }
    @discardableResult open func play() -> Bool { fatalError() }
    open func pause() {}
    open func stop() {}
}

@available(*, unavailable)
extension AVAudioPlayer: @unchecked Sendable {}

public protocol AVAudioPlayerDelegate: NSObjectProtocol {
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)
}

#if os(iOS) || os(visionOS) || os(watchOS)
open class AVAudioSession: NSObject, @unchecked Sendable {
    open class func sharedInstance() -> AVAudioSession { fatalError() }
    open func setCategory(
        _ category: Category, mode: Mode, options: CategoryOptions = []
    ) throws {}

    public struct Category: Hashable, Sendable {
        public static let playback = Category()
    }
    public struct Mode: Hashable, Sendable {
        public static let spokenAudio = Mode()
    }
    public struct CategoryOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
}
#endif
