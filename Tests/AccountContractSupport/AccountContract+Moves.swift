import ContentModel
import ServiceAPI

/// Moves of accounts, and copies of devices.
extension AccountContract {
    static let moves: [Row] = [
        Row("move", ["201", "200", "410 movedAccount", "410 movedAccount"]) { door in
            let target = try await door.account()
            let source = try await door.anonymous()
            _ = try await door.repeating(
                "POST", "move", Door.move(source), token: target.accessToken)
            try await door.send("POST", "refresh", Door.refresh(source))
            try await door.send("GET", "ways", token: source.accessToken)
        },
        Row("move with a used proof", ["201", "200", "200"]) { door in
            let target = try await door.account()
            let source = try await door.anonymous()
            try await door.send("POST", "refresh", Door.refresh(source))
            _ = try await door.repeating(
                "POST", "move", Door.move(source), token: target.accessToken)
        },
        Row("move of an account with a way in", ["403 needsFreshSignIn", "200"]) { door in
            let source = try await door.account("eve@example.org")
            let target = try await door.account()
            _ = try await door.repeating(
                "POST", "move", Door.move(source), token: target.accessToken)
            try await door.send("GET", "ways", token: source.accessToken)
        },
        Row("move after a fresh sign-in", ["200", "200", "401 wrongCredentials"]) { door in
            _ = try await door.account("eve@example.org")
            let target = try await door.account()
            let fresh = try door.tokens(
                try await door.send("POST", "sign-in", Door.upgrade("eve@example.org")))
            _ = try await door.repeating(
                "POST", "move", Door.move(fresh), token: target.accessToken)
            try await door.send("POST", "sign-in", Door.upgrade("eve@example.org"))
        },
        Row("move elsewhere", ["201", "201", "200", "409 movedElsewhere"]) { door in
            let target = try await door.account()
            let (other, source) = (try await door.anonymous(), try await door.anonymous())
            try await door.send("POST", "move", Door.move(source), token: target.accessToken)
            _ = try await door.repeating(
                "POST", "move", Door.move(source), token: other.accessToken)
        },
        Row("move on", ["201", "201", "200", "200", "200"]) { door in
            let end = try await door.account()
            let (source, between) = (try await door.anonymous(), try await door.anonymous())
            try await door.send("POST", "move", Door.move(source), token: between.accessToken)
            try await door.send("POST", "move", Door.move(between), token: end.accessToken)
            _ = try await door.repeating("POST", "move", Door.move(source), token: end.accessToken)
        },
        Row("move of a deleted account", ["201", "204", "410 noAccount"]) { door in
            let target = try await door.account()
            let source = try await door.anonymous()
            try await door.send("DELETE", "account", token: source.accessToken)
            _ = try await door.repeating(
                "POST", "move", Door.move(source), token: target.accessToken)
        },
        Row("deletion of what moved", ["201", "200", "204", "410 noAccount"]) { door in
            let target = try await door.account()
            let source = try await door.anonymous()
            try await door.send("POST", "move", Door.move(source), token: target.accessToken)
            _ = try await door.repeating("DELETE", "account", token: target.accessToken)
            try await door.send("POST", "refresh", Door.refresh(source))
        },
        Row("move by another's proof", ["201", "401 wrongCredentials"]) { door in
            let target = try await door.account()
            var source = try await door.anonymous()
            source.refreshToken = target.refreshToken
            _ = try await door.repeating(
                "POST", "move", Door.move(source), token: target.accessToken)
        },
        Row("move into itself", ["200"]) { door in
            let tokens = try await door.account()
            _ = try await door.repeating(
                "POST", "move", Door.move(tokens), token: tokens.accessToken)
        },
        Row("a copy without a way in", ["201", "200", "200", "200 copied", "200", "200"]) { door in
            let first = try await door.anonymous()
            let second = try door.tokens(
                try await door.send("POST", "refresh", Door.refresh(first)))
            let third = try door.tokens(
                try await door.send("POST", "refresh", Door.refresh(second)))
            let copy = try door.tokens(
                try await door.repeating("POST", "refresh", Door.refresh(first)))
            try await door.send("POST", "refresh", Door.refresh(third))
            try await door.send("POST", "refresh", Door.refresh(copy))
        },
    ]
}
