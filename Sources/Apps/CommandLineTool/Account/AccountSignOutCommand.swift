import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import SyncClient

extension AccountCommand {
    struct SignOut: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-out",
            abstract: "Sign out on this device.",
            discussion: "Unsent data remains for the next sign-in, unless you add --erase.",
            examples: ["underway account sign-out --server http://127.0.0.1:8080"])
        @Flag(help: "Erase the user's data from the device.") var erase = false
        @Flag(help: "Erase it even if some data was not sent.") var loseUnsent = false
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount(.store) { account, store in
                let isSignedIn = store.isSignedIn
                // Data that never had an account can be erased too.
                guard try isSignedIn || erase && store.hasData() else {
                    throw CommandFailure.nobodyIsSignedIn
                }
                let isForGood = try isSignedIn && !erase && !store.hasSignInMethod()
                try await account.signOut(erasing: erase, lossIsAccepted: loseUnsent)
                let result = isSignedIn ? "Signed out" : "Nobody was signed in"
                Console.say(
                    erase ? "\(result); the data on this device is erased." : "\(result).",
                    json: ["signedOut": .bool(isSignedIn), "erased": .bool(erase)])
                if isForGood {
                    Console.note(
                        "The account has no way to sign in, so nobody can open it again. What this device has of it stays:"
                            + " `underway account others` lists it, and takes it along into another account."
                    )
                }
                // The process ends now: the server hears of it for 3 s at most, else before a later request.
                await account.revokeSignedOut()
            }
        }
    }
}
