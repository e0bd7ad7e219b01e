//! The check values of docs/upstreams/ccnu-lib.md, 3.

use cbc::{Encryptor, cipher::BlockModeEncrypt};

use super::*;

fn usual(sealed: &str) -> Result<Signer, KeyError> {
    Signer::unseal(sealed, USUAL_PREFIX, USUAL_SUFFIX)
}

fn key(signer: &Result<Signer, KeyError>) -> Result<&str, KeyError> {
    signer
        .as_ref()
        .map(|signer| signer.key.expose_secret())
        .map_err(|error| *error)
}

/// A text sealed as the service seals keys, with padding of our own.
fn sealed(padded: &[u8]) -> String {
    let cipher =
        Encryptor::<Aes128>::new_from_slices(USUAL_PREFIX.as_bytes(), USUAL_SUFFIX.as_bytes());
    let mut bytes = padded.to_vec();
    let length = bytes.len();
    let cipher = cipher.expect("a cipher");
    use cbc::cipher::block_padding::NoPadding;
    let sealed = cipher
        .encrypt_padded::<NoPadding>(&mut bytes, length)
        .expect("whole blocks");
    BASE64.encode(sealed)
}

#[test]
fn keys_come_out_of_their_seal() {
    for (sealed, prefix, suffix, expected) in [
        (
            "LWrADtff4PL4HvWbyYbTCA==",
            USUAL_PREFIX,
            USUAL_SUFFIX,
            "SimLib2026key",
        ),
        (
            "cncjG3au8S6RpCocfD+omTU29EnFlvvEABZRDMhQ2BM=",
            USUAL_PREFIX,
            USUAL_SUFFIX,
            "SimLib2026key16b",
        ),
        (
            "JES+KPiZ14jN7+AWsD/yaw==",
            USUAL_PREFIX,
            USUAL_SUFFIX,
            "SimLib2026rot",
        ),
        (
            "/oE63q/pWI9VKuh+1h2x4Q==",
            "0123456789abcdef",
            "fedcba9876543210",
            "SimLib2026key",
        ),
    ] {
        assert_eq!(key(&Signer::unseal(sealed, prefix, suffix)), Ok(expected));
    }
}

#[test]
fn a_seal_that_is_wrong_says_what_is_wrong() {
    let bad_run = [b"SimLib2026key".as_slice(), &[3, 2, 3]].concat();
    let too_long = [b"SimLib2026key12".as_slice(), &[17]].concat();
    let zero = [b"SimLib2026key12".as_slice(), &[0]].concat();
    let no_text = [[0xff; 15].as_slice(), &[1]].concat();
    for (hmac_key, expected) in [
        ("*".to_owned(), KeyError::NotBase64),
        (String::new(), KeyError::NotBlocks),
        (BASE64.encode(&[1; 15]), KeyError::NotBlocks),
        (BASE64.encode(&[1; 17]), KeyError::NotBlocks),
        (sealed(&bad_run), KeyError::Padding),
        (sealed(&too_long), KeyError::Padding),
        (sealed(&zero), KeyError::Padding),
        (sealed(&[16; 16]), KeyError::Empty),
        (sealed(&no_text), KeyError::NotText),
        // Sealed with another pair.
        ("/oE63q/pWI9VKuh+1h2x4Q==".to_owned(), KeyError::Padding),
    ] {
        assert_eq!(key(&usual(&hmac_key)), Err(expected), "{hmac_key}");
    }
    let short = Signer::unseal("LWrADtff4PL4HvWbyYbTCA==", "short", USUAL_SUFFIX);
    assert_eq!(key(&short), Err(KeyError::Pair));
}

#[test]
fn signatures_are_those_of_the_check_values() {
    let key = Signer::new(SecretString::from("SimLib2026key")).expect("a signer");
    let rotated = Signer::new(SecretString::from("SimLib2026rot")).expect("a signer");
    let id = "11111111-2222-4333-8444-555555555555";
    for (signer, id, millis, method, expected) in [
        (
            &key,
            id,
            1_782_356_400_000,
            "POST",
            "73ac03891ff616b0e8844d8c6ddfa0c4664fe5030eeca6932b9b1bb6610266ff",
        ),
        (
            &key,
            id,
            1_782_356_400_000,
            "post",
            "73ac03891ff616b0e8844d8c6ddfa0c4664fe5030eeca6932b9b1bb6610266ff",
        ),
        (
            &key,
            id,
            1_782_356_400_000,
            "GET",
            "64159bdcb934bbe8a182a45da725ff76e820c8aeb99ba0bf9114afecf2f4deca",
        ),
        (
            &rotated,
            id,
            1_782_356_400_000,
            "POST",
            "aa06693a843a21259ebc9f2f1f1ddc95547c7d69ed86f3633cc020d23813b811",
        ),
        (
            &key,
            "00000000-0000-4000-8000-000000000000",
            0,
            "POST",
            "b018b5ad4e8d495d21e03b360d817d32da7f934ff8bcb7cca4d96004e8bff0c8",
        ),
    ] {
        let headers = signer.headers(id.parse().expect("an id"), millis, method);
        let expected = [
            ("X-request-id", id.to_owned()),
            ("X-request-date", millis.to_string()),
            ("X-hmac-request-key", expected.to_owned()),
        ];
        assert_eq!(headers, expected);
    }
    assert!(key.same_key(&key.clone()));
    assert!(!key.same_key(&rotated));
    assert_eq!(format!("{key:?}"), "Signer { .. }");
}
