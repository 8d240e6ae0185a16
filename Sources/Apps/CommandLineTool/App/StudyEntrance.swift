import ContentModel
import Foundation
import StudyModel
import StudyWeb

/// The host name, the secrets and the port of a run of the study app, of the last run where possible.
struct StudyEntrance: Sendable {
    let link: BrowserLink
    /// The port to listen on, held as long as this value lives.
    let held: LoopbackPort
    /// The port of the last run, if it was another.
    private let otherPort: Int?
    /// The saved link; `nil` for a run whose link must not be saved.
    private let file: DeviceFile<BrowserLink>?

    /// Reads the link of the last run, and looks whether its port is free.
    ///
    /// - Parameters:
    ///   - folder: The folder of the learner's data.
    ///   - port: The port to use, 0 for any; `nil` for the last one, if it is free.
    ///   - isNumeric: True for an address with 127.0.0.1.
    /// - Throws: `LoopbackPort.Taken`.
    init(folder: URL, port: Int?, isNumeric: Bool) async throws {
        guard !isNumeric else {
            (link, file, otherPort) = (.numeric(), nil, nil)
            held = try LoopbackPort(port)
            return
        }
        let file = DeviceFile(
            folder.appending(path: "study-browser.json"), initial: BrowserLink(), isSecret: true)
        self.file = file
        let last = await file.value
        held = try LoopbackPort(port, last: last.port)
        // Something else may have had the last port meanwhile, and the cookie of a page left open.
        link = last.port == held.number ? last : BrowserLink()
        otherPort = last.port == held.number ? nil : last.port
    }

    /// Saves the link with its port for the next run, and prints the address.
    func opened(_ address: String, port: Int, isJSON: Bool) async {
        let isSaved = await save(port)
        guard !isJSON else { return Console.say(jsonLine: ["address": .string(address)]) }
        Console.say("The study app is at \(address)")
        Console.note("Only this machine reaches it. Ctrl-C ends it.")
        if file == nil {
            Console.note("Other programs at 127.0.0.1 get this run's cookie from the browser.")
        } else if !isSaved {
            Console.note(
                "The address could not be saved: pages left open will not work after a restart.")
        }
        if let otherPort {
            Console.note(
                "The last run had port \(otherPort): close its pages and open the address above.")
        }
    }

    private func save(_ port: Int) async -> Bool {
        guard let file else { return false }
        do {
            let link = link
            try await file.change {
                $0 = link
                $0.port = port
            }
            return true
        } catch {
            // The app works all the same; the caller says what does not.
            return false
        }
    }
}
